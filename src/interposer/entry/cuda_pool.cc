// Stream-ordered memory and the pools it comes from. A name without _ptsz means the legacy default
// stream by stream 0, one with it the calling thread's.
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/linear.h"
#include "interposer/accounts/pool_allocation.h"
#include "interposer/dispatch/default_stream.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using namespace warpshare::interposer;

namespace {

// Managed memory that is not to be on one card may come to any: such a pool counts for the card
// that it is first used from, which finds it by itself.
bool CountsWhereUsed(const CUmemPoolProps& props) {
  return props.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED &&
         props.location.type != CU_MEM_LOCATION_TYPE_DEVICE;
}

// Which account a new pool is for: a device's, or none for a pool in host memory.
CardAccount* AccountOf(const CUmemPoolProps& props) {
  return props.location.type == CU_MEM_LOCATION_TYPE_DEVICE
             ? PlaceOfDevice(props.location.id).account
             : nullptr;
}

// After a call by which a device may have another current pool.
CUresult ForgetCurrentPools(CUresult result) {
  if (Session::Current() != nullptr) Accounts::OfProcess().context_devices.Forget();
  return result;
}

}  // namespace

WARPSHARE_HOOK CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return ForgetCurrentPools(REAL(cuDeviceSetMemPool)(device, pool));
}
WARPSHARE_HOOK CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type,
                                        CUmemoryPool pool) {
  return ForgetCurrentPools(REAL(cuMemSetMemPool)(location, type, pool));
}

WARPSHARE_HOOK CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return AllocateFromPool({pointer, bytes, nullptr, Legacy(stream)},
                          [=] { return REAL(cuMemAllocAsync)(pointer, bytes, stream); });
}
WARPSHARE_HOOK CUresult cuMemAllocAsync_ptsz(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return AllocateFromPool({pointer, bytes, nullptr, PerThread(stream)},
                          [=] { return REAL(cuMemAllocAsync_ptsz)(pointer, bytes, stream); });
}

WARPSHARE_HOOK CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes,
                                                CUmemoryPool pool, CUstream stream) {
  return AllocateFromPool({pointer, bytes, pool, Legacy(stream)}, [=] {
    return REAL(cuMemAllocFromPoolAsync)(pointer, bytes, pool, stream);
  });
}
WARPSHARE_HOOK CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* pointer, size_t bytes,
                                                     CUmemoryPool pool, CUstream stream) {
  return AllocateFromPool({pointer, bytes, pool, PerThread(stream)}, [=] {
    return REAL(cuMemAllocFromPoolAsync_ptsz)(pointer, bytes, pool, stream);
  });
}

WARPSHARE_HOOK CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return FreeLinearInOrder(pointer, Legacy(stream),
                           [=] { return REAL(cuMemFreeAsync)(pointer, stream); });
}
WARPSHARE_HOOK CUresult cuMemFreeAsync_ptsz(CUdeviceptr pointer, CUstream stream) {
  return FreeLinearInOrder(pointer, PerThread(stream),
                           [=] { return REAL(cuMemFreeAsync_ptsz)(pointer, stream); });
}

WARPSHARE_HOOK CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props) {
  const CUresult result = REAL(cuMemPoolCreate)(pool, props);
  if (result == CUDA_SUCCESS && Session::Current() != nullptr && !CountsWhereUsed(*props)) {
    const bool is_plain = props->allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                          props->handleTypes == CU_MEM_HANDLE_TYPE_NONE;
    Accounts::OfProcess().pools.Enter(*pool, AccountOf(*props), is_plain);
  }
  return result;
}

// Charged to the process of the tenant that made the pool.
WARPSHARE_HOOK CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle,
                                                           CUmemAllocationHandleType type,
                                                           unsigned long long flags) {
  const CUresult result = REAL(cuMemPoolImportFromShareableHandle)(pool, handle, type, flags);
  if (result == CUDA_SUCCESS && Session::Current() != nullptr) {
    Accounts::OfProcess().pools.Enter(*pool, /*account=*/nullptr, /*is_plain=*/false);
  }
  return result;
}

WARPSHARE_HOOK CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  if (Session::Current() == nullptr) return REAL(cuMemPoolDestroy)(pool);
  return ForgetCurrentPools(Accounts::OfProcess().pools.Destroy(pool, REAL(cuMemPoolDestroy)));
}

WARPSHARE_HOOK CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep) {
  const CUresult result = REAL(cuMemPoolTrimTo)(pool, bytes_to_keep);
  Accounts::OfProcess().pools.Shrink(pool);
  return result;
}

WARPSHARE_HOOK CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                                              void* value) {
  const CUresult result = REAL(cuMemPoolSetAttribute)(pool, attribute, value);
  if (result == CUDA_SUCCESS && attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) {
    Accounts::OfProcess().pools.SetReleaseThreshold(pool, *static_cast<cuuint64_t*>(value));
  }
  return result;
}
