#include <limits>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/memory/device_memory.h"
#include "simgpu/cuda/memory/ready_to_free.h"

namespace simgpu::cuda {
namespace {

constexpr size_t kPitchAlignment = 512;
constexpr size_t kMaxPitch = 0x7fffffff;  // CU_DEVICE_ATTRIBUTE_MAX_PITCH

// What every function that makes memory asks first.
CUresult ContextForMemory(Context** context) {
  SIMGPU_TRY(CurrentContext(context));
  return RefuseWhileCapturing();
}

struct PitchedSize {
  size_t pitch = 0;
  size_t bytes = 0;
};

CUresult SizeOfPitched(size_t width, size_t height, unsigned element_bytes, PitchedSize* size) {
  SIMGPU_REQUIRE(width != 0 && height != 0 && width <= kMaxPitch, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(element_bytes == 4 || element_bytes == 8 || element_bytes == 16,
                 CUDA_ERROR_INVALID_VALUE);
  size->pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  SIMGPU_REQUIRE(!__builtin_mul_overflow(size->pitch, height, &size->bytes),
                 CUDA_ERROR_OUT_OF_MEMORY);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForMemory(&context));
  SIMGPU_REQUIRE(pointer != nullptr && bytes != 0, CUDA_ERROR_INVALID_VALUE);
  return AllocateDevice(*context, {.bytes = bytes}, pointer);
}

SIMGPU_EXPORT CUresult cuMemAlloc(CUdeviceptr_v1* pointer, unsigned bytes) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForMemory(&context));
  SIMGPU_REQUIRE(pointer != nullptr && bytes != 0, CUDA_ERROR_INVALID_VALUE);
  return AllocateLow(*context, bytes, pointer);
}

SIMGPU_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch,
                                          size_t width_in_bytes, size_t height,
                                          unsigned element_bytes) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForMemory(&context));
  SIMGPU_REQUIRE(pointer != nullptr && pitch != nullptr, CUDA_ERROR_INVALID_VALUE);
  PitchedSize size;
  SIMGPU_TRY(SizeOfPitched(width_in_bytes, height, element_bytes, &size));
  SIMGPU_TRY(AllocateDevice(*context, {.bytes = size.bytes}, pointer));
  *pitch = size.pitch;
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemAllocPitch(CUdeviceptr_v1* pointer, unsigned* pitch,
                                       unsigned width_in_bytes, unsigned height,
                                       unsigned element_bytes) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForMemory(&context));
  SIMGPU_REQUIRE(pointer != nullptr && pitch != nullptr, CUDA_ERROR_INVALID_VALUE);
  PitchedSize size;
  SIMGPU_TRY(SizeOfPitched(width_in_bytes, height, element_bytes, &size));
  SIMGPU_REQUIRE(size.bytes <= std::numeric_limits<unsigned>::max(), CUDA_ERROR_OUT_OF_MEMORY);
  SIMGPU_TRY(AllocateLow(*context, size.bytes, pointer));
  *pitch = static_cast<unsigned>(size.pitch);
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForMemory(&context));
  SIMGPU_REQUIRE(pointer != nullptr && bytes != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST,
                 CUDA_ERROR_INVALID_VALUE);
  return AllocateDevice(*context, {.bytes = bytes, .origin = Origin::kManaged, .flags = flags},
                        pointer);
}

SIMGPU_EXPORT CUresult cuMemFree_v2(CUdeviceptr pointer) {
  SIMGPU_TRY(ReadyToFree(reinterpret_cast<const void*>(pointer)));
  return FreeLinear(pointer);
}

SIMGPU_EXPORT CUresult cuMemFree(CUdeviceptr_v1 pointer) { return cuMemFree_v2(pointer); }
