#include "interposer/accounts/array_size.h"

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// How many bytes a rectangle of texels takes: block-compressed formats by blocks of 4 x 4, video
// formats by pairs of pixels that share their colour.
struct Texels {
  uint32_t width;
  uint32_t height;
  uint32_t bytes;  // of the rectangle; of one channel of it where `by_channel`
  bool by_channel;
};

struct FormatRange {
  CUarray_format first;
  CUarray_format last;
  Texels texels;
};

constexpr FormatRange kFormats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT8, {1, 1, 1, true}},
    {CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT16, {1, 1, 2, true}},
    {CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_UNSIGNED_INT32, {1, 1, 4, true}},
    {CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT8, {1, 1, 1, true}},
    {CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16, {1, 1, 2, true}},
    {CU_AD_FORMAT_SIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32, {1, 1, 4, true}},
    {CU_AD_FORMAT_FLOAT, CU_AD_FORMAT_FLOAT, {1, 1, 4, true}},
    {CU_AD_FORMAT_HALF, CU_AD_FORMAT_HALF, {1, 1, 2, true}},
    {CU_AD_FORMAT_UNORM_INT_101010_2, CU_AD_FORMAT_UNORM_INT_101010_2, {1, 1, 4, false}},
    {CU_AD_FORMAT_BC1_UNORM, CU_AD_FORMAT_BC1_UNORM_SRGB, {4, 4, 8, false}},
    {CU_AD_FORMAT_BC2_UNORM, CU_AD_FORMAT_BC3_UNORM_SRGB, {4, 4, 16, false}},
    {CU_AD_FORMAT_BC4_UNORM, CU_AD_FORMAT_BC4_SNORM, {4, 4, 8, false}},
    {CU_AD_FORMAT_BC5_UNORM, CU_AD_FORMAT_BC7_UNORM_SRGB, {4, 4, 16, false}},
    {CU_AD_FORMAT_P010, CU_AD_FORMAT_P016, {2, 2, 12, false}},  // 4:2:0, 16 bits
    {CU_AD_FORMAT_NV16, CU_AD_FORMAT_NV16, {2, 1, 4, false}},   // 4:2:2, 8 bits
    {CU_AD_FORMAT_P210, CU_AD_FORMAT_P216, {2, 1, 8, false}},   // 4:2:2, 16 bits
    {CU_AD_FORMAT_YUY2, CU_AD_FORMAT_YUY2, {2, 1, 4, false}},   // 4:2:2, 8 bits
    {CU_AD_FORMAT_Y210, CU_AD_FORMAT_Y216, {2, 1, 8, false}},   // 4:2:2, 16 bits
    {CU_AD_FORMAT_AYUV, CU_AD_FORMAT_Y410, {1, 1, 4, false}},   // 4:4:4:4
    {CU_AD_FORMAT_NV12, CU_AD_FORMAT_NV12, {2, 2, 6, false}},   // 4:2:0, 8 bits
    {CU_AD_FORMAT_Y416, CU_AD_FORMAT_Y416, {1, 1, 8, false}},   // 4:4:4:4, 16 bits
    {CU_AD_FORMAT_Y444_PLANAR8, CU_AD_FORMAT_Y444_PLANAR8, {1, 1, 3, false}},
    {CU_AD_FORMAT_Y444_PLANAR10, CU_AD_FORMAT_Y444_PLANAR10, {1, 1, 6, false}},
    {CU_AD_FORMAT_YUV444_8bit_SemiPlanar, CU_AD_FORMAT_YUV444_8bit_SemiPlanar, {1, 1, 3, false}},
    {CU_AD_FORMAT_YUV444_16bit_SemiPlanar, CU_AD_FORMAT_YUV444_16bit_SemiPlanar, {1, 1, 6, false}},
    {CU_AD_FORMAT_UNORM_INT8X1, CU_AD_FORMAT_UNORM_INT8X4, {1, 1, 1, true}},
    {CU_AD_FORMAT_UNORM_INT16X1, CU_AD_FORMAT_UNORM_INT16X4, {1, 1, 2, true}},
    {CU_AD_FORMAT_SNORM_INT8X1, CU_AD_FORMAT_SNORM_INT8X4, {1, 1, 1, true}},
    {CU_AD_FORMAT_SNORM_INT16X1, CU_AD_FORMAT_SNORM_INT16X4, {1, 1, 2, true}},
};

// What drivers may add.
constexpr Texels kOtherFormats = {1, 1, 4, true};

const FormatRange* RangeOf(CUarray_format format) {
  for (const FormatRange& range : kFormats) {
    if (format >= range.first && format <= range.last) return &range;
  }
  return nullptr;
}

Texels TexelsOf(CUarray_format format) {
  const FormatRange* range = RangeOf(format);
  return range == nullptr ? kOtherFormats : range->texels;
}

constexpr uint64_t kTooMuch = UINT64_MAX;

uint64_t Multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? kTooMuch : product;
}

uint64_t AtLeastOne(uint64_t size) { return size == 0 ? 1 : size; }

uint64_t LevelBytes(const CUDA_ARRAY3D_DESCRIPTOR& array, unsigned int level) {
  const bool is_layered = (array.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  const Texels texels = TexelsOf(array.Format);
  const uint64_t columns = (AtLeastOne(array.Width >> level) + texels.width - 1) / texels.width;
  const uint64_t rows = (AtLeastOne(array.Height >> level) + texels.height - 1) / texels.height;
  const uint64_t slices = AtLeastOne(is_layered ? array.Depth : array.Depth >> level);
  const uint64_t bytes = uint64_t{texels.bytes} * (texels.by_channel ? array.NumChannels : 1);
  return Multiply(Multiply(columns, rows), Multiply(slices, bytes));
}

// From 1 to the level at which every side is 1, as drivers clamp it.
unsigned int ClampLevels(const ArrayShape& shape) {
  const CUDA_ARRAY3D_DESCRIPTOR& array = shape.descriptor;
  uint64_t longest = array.Width > array.Height ? array.Width : array.Height;
  const bool is_layered = (array.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  if (!is_layered && array.Depth > longest) longest = array.Depth;
  const auto most = static_cast<unsigned int>(64 - __builtin_clzll(longest | 1));
  const unsigned int levels = shape.levels == 0 ? 1 : shape.levels;
  return levels < most ? levels : most;
}

bool AskArray(const CUDA_ARRAY3D_DESCRIPTOR& deferred, CUdevice device,
              CUDA_ARRAY_MEMORY_REQUIREMENTS& answer) {
  CUarray array = nullptr;
  if (REAL(cuArray3DCreate_v2)(&array, &deferred) != CUDA_SUCCESS) return false;
  const CUresult result = REAL(cuArrayGetMemoryRequirements)(&answer, array, device);
  REAL(cuArrayDestroy)(array);
  return result == CUDA_SUCCESS;
}

bool AskMipmap(const CUDA_ARRAY3D_DESCRIPTOR& deferred, unsigned int levels, CUdevice device,
               CUDA_ARRAY_MEMORY_REQUIREMENTS& answer) {
  CUmipmappedArray array = nullptr;
  if (REAL(cuMipmappedArrayCreate)(&array, &deferred, levels) != CUDA_SUCCESS) return false;
  const CUresult result = REAL(cuMipmappedArrayGetMemoryRequirements)(&answer, array, device);
  REAL(cuMipmappedArrayDestroy)(array);
  return result == CUDA_SUCCESS;
}

}  // namespace

uint64_t ElementBytes(const ArrayShape& shape) {
  if (shape.descriptor.Width == 0) return 0;
  uint64_t sum = 0;
  for (unsigned int level = 0; level < ClampLevels(shape); ++level) {
    if (__builtin_add_overflow(sum, LevelBytes(shape.descriptor, level), &sum)) return kTooMuch;
  }
  return sum;
}

uint64_t LeastBytes(const ArrayShape& shape) {
  return RangeOf(shape.descriptor.Format) == nullptr ? 0 : ElementBytes(shape);
}

uint64_t AskArrayBytes(const ArrayShape& shape, CUdevice device) {
  CUDA_ARRAY3D_DESCRIPTOR deferred = shape.descriptor;
  deferred.Flags |= CUDA_ARRAY3D_DEFERRED_MAPPING;
  CUDA_ARRAY_MEMORY_REQUIREMENTS answer{};
  const bool is_told = shape.levels == 0 ? AskArray(deferred, device, answer)
                                         : AskMipmap(deferred, shape.levels, device, answer);
  return is_told ? answer.size : 0;
}

}  // namespace warpshare::interposer
