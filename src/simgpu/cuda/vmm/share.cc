// Physical memory carried to other processes by a file descriptor.
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/memory/range.h"
#include "simgpu/cuda/vmm/api.h"
#include "simgpu/cuda/vmm/virtual_memory.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

CUresult CheckHandleType(CUmemAllocationHandleType type) {
  SIMGPU_REQUIRE(type != CU_MEM_HANDLE_TYPE_FABRIC && type != CU_MEM_HANDLE_TYPE_WIN32 &&
                     type != CU_MEM_HANDLE_TYPE_WIN32_KMT,
                 CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE(type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemExportToShareableHandle(void* shareable,
                                                    CUmemGenericAllocationHandle handle,
                                                    CUmemAllocationHandleType handle_type,
                                                    unsigned long long flags) {
  SIMGPU_TRY(Ready());
  const auto memory = MemoryOf(handle);
  SIMGPU_REQUIRE(shareable != nullptr && memory != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckHandleType(handle_type));
  SIMGPU_REQUIRE((memory->props().requestedHandleTypes & handle_type) != 0,
                 CUDA_ERROR_INVALID_VALUE);
  const int fd = simgpu::world::World::Instance().memory().ExportFd(memory->extent());
  SIMGPU_REQUIRE(fd >= 0, CUDA_ERROR_OPERATING_SYSTEM);
  *static_cast<int*>(shareable) = fd;
  return CUDA_SUCCESS;
}

// The descriptor comes by value, in place of the pointer, and stays the caller's.
SIMGPU_EXPORT CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle,
                                                      void* os_handle,
                                                      CUmemAllocationHandleType handle_type) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckHandleType(handle_type));
  const int fd = static_cast<int>(reinterpret_cast<intptr_t>(os_handle));
  simgpu::world::Memory& memory = simgpu::world::World::Instance().memory();
  const auto extent = memory.ImportFd(fd);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_INVALID_VALUE);
  const CUdevice device = DeviceOf(extent->card);
  if (device == CU_DEVICE_INVALID) {
    memory.Release(*extent);
    return CUDA_ERROR_INVALID_DEVICE;
  }
  CUmemAllocationProp props = {};
  props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  props.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  *handle = Adopt(props, *extent);
  return CUDA_SUCCESS;
}

// The only kind of handle is a dma-buf, which the simulated card does not have
// (CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED is 0).
SIMGPU_EXPORT CUresult cuMemGetHandleForAddressRange(void* handle, CUdeviceptr pointer, size_t size,
                                                     CUmemRangeHandleType handle_type,
                                                     unsigned long long) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(handle != nullptr && size != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(handle_type == CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, CUDA_ERROR_INVALID_VALUE);
  Allocation first;
  SIMGPU_TRY(CheckRange(pointer, size, Touch::kRead, &first));
  return CUDA_ERROR_NOT_SUPPORTED;
}
