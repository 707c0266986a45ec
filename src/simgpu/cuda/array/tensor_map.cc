// Tensor maps: 128 opaque bytes that a kernel is handed. The simulated card reads none, so they
// hold the address and a mark of who made them; the arguments are checked as far as programs rely
// on it.
#include <cstring>

#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {
namespace {

constexpr uint64_t kMark = 0x70616d2e6d6973;  // "sim.map"
constexpr uint32_t kMaxRank = 5;
constexpr uint32_t kMaxBox = 256;
constexpr uintptr_t kAddressAlignment = 16;

struct TensorMap {
  uint64_t mark = kMark;
  uint64_t address = 0;
  uint32_t type = 0;
  uint32_t rank = 0;
  uint64_t sizes[kMaxRank] = {};
};
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap));

struct Tensor {
  CUtensorMapDataType type;
  uint32_t rank;
  void* address;
  const uint64_t* sizes;
  const uint64_t* strides;  // one fewer than the rank; the innermost is packed
  const uint32_t* element_strides;
};

CUresult CheckAddress(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  SIMGPU_REQUIRE(at != 0 && at % kAddressAlignment == 0, CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult CheckTensor(const Tensor& tensor, uint32_t least_rank) {
  SIMGPU_REQUIRE(tensor.rank >= least_rank && tensor.rank <= kMaxRank, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(tensor.type <= CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckAddress(tensor.address));
  SIMGPU_REQUIRE(tensor.sizes != nullptr && tensor.element_strides != nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(tensor.rank == 1 || tensor.strides != nullptr, CUDA_ERROR_INVALID_VALUE);
  for (uint32_t i = 0; i < tensor.rank; i++) {
    SIMGPU_REQUIRE(tensor.sizes[i] != 0 && tensor.sizes[i] <= uint64_t{1} << 32,
                   CUDA_ERROR_INVALID_VALUE);
    SIMGPU_REQUIRE(tensor.element_strides[i] != 0 && tensor.element_strides[i] <= 8,
                   CUDA_ERROR_INVALID_VALUE);
    SIMGPU_REQUIRE(i == 0 || tensor.strides[i - 1] % 16 == 0, CUDA_ERROR_INVALID_VALUE);
  }
  return CUDA_SUCCESS;
}

CUresult Encode(const Tensor& tensor, CUtensorMap* map) {
  SIMGPU_REQUIRE(map != nullptr && reinterpret_cast<uintptr_t>(map) % 64 == 0,
                 CUDA_ERROR_INVALID_VALUE);
  TensorMap encoded;
  encoded.address = reinterpret_cast<uintptr_t>(tensor.address);
  encoded.type = tensor.type;
  encoded.rank = tensor.rank;
  std::memcpy(encoded.sizes, tensor.sizes, tensor.rank * sizeof(uint64_t));
  *map = {};
  std::memcpy(map, &encoded, sizeof(encoded));
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type,
                                              uint32_t rank, void* address, const uint64_t* sizes,
                                              const uint64_t* strides, const uint32_t* box,
                                              const uint32_t* element_strides,
                                              CUtensorMapInterleave, CUtensorMapSwizzle,
                                              CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  SIMGPU_TRY(Ready());
  const Tensor tensor = {type, rank, address, sizes, strides, element_strides};
  SIMGPU_TRY(CheckTensor(tensor, 1));
  SIMGPU_REQUIRE(box != nullptr, CUDA_ERROR_INVALID_VALUE);
  for (uint32_t i = 0; i < rank; i++) {
    SIMGPU_REQUIRE(box[i] != 0 && box[i] <= kMaxBox, CUDA_ERROR_INVALID_VALUE);
  }
  return Encode(tensor, map);
}

SIMGPU_EXPORT CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type,
                                               uint32_t rank, void* address, const uint64_t* sizes,
                                               const uint64_t* strides, const int* lower_corner,
                                               const int* upper_corner, uint32_t channels,
                                               uint32_t pixels, const uint32_t* element_strides,
                                               CUtensorMapInterleave, CUtensorMapSwizzle,
                                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  SIMGPU_TRY(Ready());
  const Tensor tensor = {type, rank, address, sizes, strides, element_strides};
  SIMGPU_TRY(CheckTensor(tensor, 3));
  SIMGPU_REQUIRE(lower_corner != nullptr && upper_corner != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(channels <= kMaxBox && pixels <= 1024, CUDA_ERROR_INVALID_VALUE);
  return Encode(tensor, map);
}

SIMGPU_EXPORT CUresult cuTensorMapEncodeIm2colWide(
    CUtensorMap* map, CUtensorMapDataType type, uint32_t rank, void* address, const uint64_t* sizes,
    const uint64_t* strides, int, int, uint32_t channels, uint32_t pixels,
    const uint32_t* element_strides, CUtensorMapInterleave, CUtensorMapIm2ColWideMode,
    CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  SIMGPU_TRY(Ready());
  const Tensor tensor = {type, rank, address, sizes, strides, element_strides};
  SIMGPU_TRY(CheckTensor(tensor, 3));
  SIMGPU_REQUIRE(channels <= kMaxBox && pixels <= 1024, CUDA_ERROR_INVALID_VALUE);
  return Encode(tensor, map);
}

SIMGPU_EXPORT CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(map != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckAddress(address));
  TensorMap encoded;
  std::memcpy(static_cast<void*>(&encoded), map, sizeof(encoded));
  SIMGPU_REQUIRE(encoded.mark == kMark, CUDA_ERROR_INVALID_VALUE);
  encoded.address = reinterpret_cast<uintptr_t>(address);
  std::memcpy(map, &encoded, sizeof(encoded));
  return CUDA_SUCCESS;
}
