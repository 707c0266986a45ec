#include "simgpu/cuda/array/layout.h"

#include <algorithm>
#include <bit>

namespace simgpu::cuda {
namespace {

constexpr unsigned kKnownFlags =
    CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
    CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_COLOR_ATTACHMENT |
    CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
constexpr unsigned kUnsupportedFlags = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
constexpr size_t kLevelAlignment = 512;

// The limits of the largest cards (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE*).
struct Limit {
  size_t width, height, depth;
};
constexpr Limit k1d = {131072, 0, 0};
constexpr Limit k2d = {131072, 65536, 0};
constexpr Limit k3d = {16384, 16384, 16384};
constexpr Limit k1dLayered = {32768, 0, 2048};
constexpr Limit k2dLayered = {32768, 32768, 2048};
constexpr Limit kCubemap = {32768, 32768, 6};
constexpr Limit kCubemapLayered = {32768, 32768, 2046};

// Bytes of one channel, or of a whole element where the format fixes the channels; 0: unknown.
size_t ChannelBytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_UNORM_INT8X1:
    case CU_AD_FORMAT_SNORM_INT8X1:
    case CU_AD_FORMAT_UNORM_INT8X2:
    case CU_AD_FORMAT_SNORM_INT8X2:
    case CU_AD_FORMAT_UNORM_INT8X4:
    case CU_AD_FORMAT_SNORM_INT8X4:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
    case CU_AD_FORMAT_UNORM_INT16X1:
    case CU_AD_FORMAT_SNORM_INT16X1:
    case CU_AD_FORMAT_UNORM_INT16X2:
    case CU_AD_FORMAT_SNORM_INT16X2:
    case CU_AD_FORMAT_UNORM_INT16X4:
    case CU_AD_FORMAT_SNORM_INT16X4:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

// The channels a format demands; 0: any of 1, 2 and 4.
unsigned FixedChannels(CUarray_format format) {
  const unsigned first = CU_AD_FORMAT_UNORM_INT8X1;
  if (format < first || format > CU_AD_FORMAT_SNORM_INT16X4) return 0;
  constexpr unsigned kChannels[] = {1, 2, 4};  // every group of formats in this order
  return kChannels[(format - first) % 3];
}

bool IsDeclared(CUarray_format format) {
  return ChannelBytes(format) != 0 || format == CU_AD_FORMAT_NV12 ||
         format == CU_AD_FORMAT_UNORM_INT_101010_2 ||
         (format >= CU_AD_FORMAT_BC1_UNORM && format <= CU_AD_FORMAT_YUV444_16bit_SemiPlanar);
}

Limit LimitOf(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  if ((descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) return layered ? kCubemapLayered : kCubemap;
  if (layered) return descriptor.Height == 0 ? k1dLayered : k2dLayered;
  if (descriptor.Depth != 0) return k3d;
  return descriptor.Height != 0 ? k2d : k1d;
}

bool HasValidSize(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  const Limit limit = LimitOf(descriptor);
  if (descriptor.Width == 0 || descriptor.Width > limit.width) return false;
  if (descriptor.Height > limit.height || descriptor.Depth > limit.depth) return false;
  const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  if ((descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) {
    if (descriptor.Width != descriptor.Height || descriptor.Depth == 0) return false;
    return layered ? descriptor.Depth % 6 == 0 : descriptor.Depth == 6;
  }
  if (layered) return descriptor.Depth != 0;
  return descriptor.Depth == 0 || descriptor.Height != 0;
}

CUresult CheckDescriptor(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  SIMGPU_REQUIRE((descriptor.Flags & ~kKnownFlags) == 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(IsDeclared(descriptor.Format), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE((descriptor.Flags & kUnsupportedFlags) == 0, CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE(ChannelBytes(descriptor.Format) != 0, CUDA_ERROR_NOT_SUPPORTED);
  const unsigned channels = descriptor.NumChannels;
  SIMGPU_REQUIRE(channels == 1 || channels == 2 || channels == 4, CUDA_ERROR_INVALID_VALUE);
  const unsigned fixed = FixedChannels(descriptor.Format);
  SIMGPU_REQUIRE(fixed == 0 || fixed == channels, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(HasValidSize(descriptor), CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

bool IsLayered(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  return (descriptor.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
}

}  // namespace

CUresult LayOut(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, ArrayLayout* layout) {
  SIMGPU_TRY(CheckDescriptor(descriptor));
  layout->element_bytes = ChannelBytes(descriptor.Format) * descriptor.NumChannels;
  layout->row_bytes = descriptor.Width * layout->element_bytes;
  layout->rows = std::max<size_t>(descriptor.Height, 1);
  layout->slices = std::max<size_t>(descriptor.Depth, 1);
  return CUDA_SUCCESS;
}

CUDA_ARRAY3D_DESCRIPTOR DescriptorOfLevel(const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                                          unsigned level) {
  const auto halve = [level](size_t size) {
    return size == 0 ? 0 : std::max<size_t>(size >> level, 1);
  };
  CUDA_ARRAY3D_DESCRIPTOR of_level = descriptor;
  of_level.Width = halve(descriptor.Width);
  of_level.Height = halve(descriptor.Height);
  if (!IsLayered(descriptor)) of_level.Depth = halve(descriptor.Depth);
  return of_level;
}

CUresult LayOutLevels(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels,
                      std::vector<ArrayLayout>* layouts) {
  SIMGPU_TRY(CheckDescriptor(descriptor));
  size_t largest = std::max(descriptor.Width, descriptor.Height);
  if (!IsLayered(descriptor)) largest = std::max(largest, descriptor.Depth);
  levels = std::clamp(levels, 1u, static_cast<unsigned>(std::bit_width(largest)));
  layouts->clear();
  size_t offset = 0;
  for (unsigned level = 0; level < levels; level++) {
    ArrayLayout layout;
    SIMGPU_TRY(LayOut(DescriptorOfLevel(descriptor, level), &layout));
    layout.offset = offset;
    offset = (offset + layout.bytes() + kLevelAlignment - 1) / kLevelAlignment * kLevelAlignment;
    layouts->push_back(layout);
  }
  return CUDA_SUCCESS;
}

size_t ChargedBytes(size_t bytes) {
  return (bytes + kArrayGranularity - 1) / kArrayGranularity * kArrayGranularity;
}

}  // namespace simgpu::cuda
