#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/memory/location.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/pool/pools.h"

namespace simgpu::cuda {
namespace {

CUresult FindPool(CUmemoryPool handle, MemoryPool** pool) {
  SIMGPU_TRY(Ready());
  *pool = MemoryPool::From(handle);
  SIMGPU_REQUIRE(*pool != nullptr, CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

// What the simulated card has pools for: pinned memory of its own, shared by descriptor or not.
CUresult CheckProps(const CUmemPoolProps& props, int* card) {
  SIMGPU_REQUIRE(props.allocType == CU_MEM_ALLOCATION_TYPE_PINNED ||
                     props.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(props.location.type != CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(props.allocType == CU_MEM_ALLOCATION_TYPE_PINNED, CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_TRY(CardOfLocation(props.location, card));
  SIMGPU_REQUIRE(*card != kHostCard, CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE(props.handleTypes == CU_MEM_HANDLE_TYPE_NONE ||
                     props.handleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                 CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE((props.usage & ~CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS) == 0,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

// cuMemGetMemPool and its like name a pool by where it is and of what type; cards have pinned ones.
CUresult DeviceOfPool(const CUmemLocation* location, CUmemAllocationType type, CUdevice* device) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(location != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(type == CU_MEM_ALLOCATION_TYPE_PINNED || type == CU_MEM_ALLOCATION_TYPE_MANAGED,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(type == CU_MEM_ALLOCATION_TYPE_PINNED, CUDA_ERROR_NOT_SUPPORTED);
  int card = -1;
  SIMGPU_TRY(CardOfLocation(*location, &card));
  SIMGPU_REQUIRE(card != kHostCard, CUDA_ERROR_NOT_SUPPORTED);
  *device = location->id;
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(pool != nullptr && props != nullptr, CUDA_ERROR_INVALID_VALUE);
  PoolSpec spec;
  SIMGPU_TRY(CheckProps(*props, &spec.card));
  spec.props = *props;
  spec.id = NewPoolId();
  *pool = MakePool(spec)->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  MemoryPool* found = nullptr;
  SIMGPU_TRY(FindPool(pool, &found));
  return DestroyPool(found);
}

SIMGPU_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep) {
  MemoryPool* found = nullptr;
  SIMGPU_TRY(FindPool(pool, &found));
  found->TrimTo(bytes_to_keep);
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  MemoryPool* found = nullptr;
  SIMGPU_TRY(FindPool(pool, &found));
  SIMGPU_REQUIRE(value != nullptr, CUDA_ERROR_INVALID_VALUE);
  return found->GetAttribute(attr, value);
}

SIMGPU_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  MemoryPool* found = nullptr;
  SIMGPU_TRY(FindPool(pool, &found));
  SIMGPU_REQUIRE(value != nullptr, CUDA_ERROR_INVALID_VALUE);
  return found->SetAttribute(attr, value);
}

SIMGPU_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map,
                                          size_t count) {
  MemoryPool* found = nullptr;
  SIMGPU_TRY(FindPool(pool, &found));
  SIMGPU_REQUIRE(map != nullptr && count != 0, CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < count; i++) SIMGPU_TRY(found->SetAccess(map[i]));
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool,
                                          CUmemLocation* location) {
  MemoryPool* found = nullptr;
  SIMGPU_TRY(FindPool(pool, &found));
  SIMGPU_REQUIRE(flags != nullptr && location != nullptr, CUDA_ERROR_INVALID_VALUE);
  return found->GetAccess(*location, flags);
}

SIMGPU_EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(pool != nullptr, CUDA_ERROR_INVALID_VALUE);
  MemoryPool* found = nullptr;
  SIMGPU_TRY(DefaultPool(device, &found));
  *pool = found->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(pool != nullptr, CUDA_ERROR_INVALID_VALUE);
  MemoryPool* found = nullptr;
  SIMGPU_TRY(CurrentPool(device, &found));
  *pool = found->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  MemoryPool* found = nullptr;
  SIMGPU_TRY(FindPool(pool, &found));
  return SetCurrentPool(device, found);
}

SIMGPU_EXPORT CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                              CUmemAllocationType type) {
  CUdevice device = 0;
  SIMGPU_TRY(DeviceOfPool(location, type, &device));
  return cuDeviceGetDefaultMemPool(pool, device);
}

SIMGPU_EXPORT CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                       CUmemAllocationType type) {
  CUdevice device = 0;
  SIMGPU_TRY(DeviceOfPool(location, type, &device));
  return cuDeviceGetMemPool(pool, device);
}

SIMGPU_EXPORT CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type,
                                       CUmemoryPool pool) {
  CUdevice device = 0;
  SIMGPU_TRY(DeviceOfPool(location, type, &device));
  return cuDeviceSetMemPool(device, pool);
}
