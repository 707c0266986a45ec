// What a device can do, beside its attributes.
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/device/api.h"
#include "simgpu/cuda/device/attributes.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"

using simgpu::cuda::CardOf;
using simgpu::cuda::DeviceAttribute;
using simgpu::cuda::SpecOf;
using simgpu::world::CardSpec;

namespace {

// Elements of one or two bytes and more, by their format; 0 for formats of more than one channel.
size_t ElementBytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

}  // namespace

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attrib, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(value != nullptr, CUDA_ERROR_INVALID_VALUE);
  const std::optional<int> answer = DeviceAttribute(SpecOf(card), attrib);
  SIMGPU_REQUIRE(answer.has_value(), CUDA_ERROR_INVALID_VALUE);
  *value = *answer;
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(major != nullptr && minor != nullptr, CUDA_ERROR_INVALID_VALUE);
  *major = SpecOf(card).compute_major;
  *minor = SpecOf(card).compute_minor;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(prop != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CardSpec& spec = SpecOf(card);
  const auto get = [&spec](CUdevice_attribute attribute) {
    return DeviceAttribute(spec, attribute).value_or(0);
  };
  *prop = {
      .maxThreadsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
      .maxThreadsDim = {get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                        get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                        get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)},
      .maxGridSize = {get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                      get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                      get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)},
      .sharedMemPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
      .totalConstantMemory = get(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY),
      .SIMDWidth = get(CU_DEVICE_ATTRIBUTE_WARP_SIZE),
      .memPitch = get(CU_DEVICE_ATTRIBUTE_MAX_PITCH),
      .regsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
      .clockRate = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
      .textureAlign = get(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
  };
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* max_width_in_elements, CUarray_format format,
                                            unsigned num_channels, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  const size_t bytes = ElementBytes(format) * num_channels;
  SIMGPU_REQUIRE(max_width_in_elements != nullptr && bytes > 0 && num_channels <= 4,
                 CUDA_ERROR_INVALID_VALUE);
  *max_width_in_elements = (size_t{1} << 31) / bytes;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetExecAffinitySupport(int* value, CUexecAffinityType type, CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(value != nullptr && type == CU_EXEC_AFFINITY_TYPE_SM_COUNT,
                 CUDA_ERROR_INVALID_VALUE);
  *value = 0;  // a matter of MPS, which is not simulated
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetNvSciSyncAttributes(void*, CUdevice, int) { return CUDA_ERROR_NOT_SUPPORTED; }

// The card never goes over the budget that would be notified.
CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callback_func,
                                           void* user_data, CUasyncCallbackHandle* callback) {
  (void)user_data;
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(callback_func != nullptr && callback != nullptr, CUDA_ERROR_INVALID_VALUE);
  void* handle = simgpu::cuda::NewHandle(simgpu::cuda::HandleKind::kNotification,
                                         reinterpret_cast<void*>(callback_func));
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  *callback = static_cast<CUasyncCallbackHandle>(handle);
  return CUDA_SUCCESS;
}

CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(
      simgpu::cuda::ObjectOf(simgpu::cuda::HandleKind::kNotification, callback) != nullptr,
      CUDA_ERROR_INVALID_VALUE);
  simgpu::cuda::FreeHandle(callback);
  return CUDA_SUCCESS;
}

// Device memory is host memory here: there is nothing to flush.
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope) {
  simgpu::cuda::Context* context = nullptr;
  SIMGPU_TRY(simgpu::cuda::CurrentContext(&context));
  SIMGPU_REQUIRE(target == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX &&
                     (scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER ||
                      scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES),
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}
