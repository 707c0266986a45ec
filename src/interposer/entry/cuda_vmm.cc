// Virtual memory management: physical memory by handles, mapped at addresses that cost nothing.
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using namespace warpshare::interposer;

namespace {

using Handle = CUmemGenericAllocationHandle;

PhysicalMemory& Physical() { return Accounts::OfProcess().physical_memory; }

}  // namespace

WARPSHARE_HOOK CUresult cuMemCreate(Handle* handle, size_t bytes,
                                    const CUmemAllocationProp* properties,
                                    unsigned long long flags) {
  const bool is_complete = handle != nullptr && properties != nullptr && bytes != 0;
  const Place place = is_complete ? PlaceOf(*properties) : Place{};
  const auto call = [=] { return REAL(cuMemCreate)(handle, bytes, properties, flags); };
  if (!place) return call();
  if (!Reserve(*place.account, bytes)) {
    return Refuse(place, call, [=] { return REAL(cuMemRelease)(*handle); });
  }
  CUresult result = call();
  if (result == CUDA_SUCCESS && !Physical().Enter(*handle, bytes, *place.account)) {
    REAL(cuMemRelease)(*handle);
    result = CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (result != CUDA_SUCCESS) place.account->GiveBack(bytes);
  return result;
}

WARPSHARE_HOOK CUresult cuMemRelease(Handle handle) {
  if (Session::Current() == nullptr) return REAL(cuMemRelease)(handle);
  return Physical().Release(handle, [=] { return REAL(cuMemRelease)(handle); });
}

WARPSHARE_HOOK CUresult cuMemRetainAllocationHandle(Handle* handle, void* address) {
  const auto call = [=] { return REAL(cuMemRetainAllocationHandle)(handle, address); };
  if (Session::Current() == nullptr) return call();
  return Physical().Retain(handle, reinterpret_cast<CUdeviceptr>(address), call);
}

WARPSHARE_HOOK CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, Handle handle,
                                 unsigned long long flags) {
  const auto call = [=] { return REAL(cuMemMap)(address, bytes, offset, handle, flags); };
  if (Session::Current() == nullptr) return call();
  return Physical().Map({.address = address, .bytes = bytes, .offset = offset, .handle = handle},
                        call);
}

WARPSHARE_HOOK CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  if (Session::Current() == nullptr) return REAL(cuMemUnmap)(address, bytes);
  return Physical().Unmap(address, bytes, [=] { return REAL(cuMemUnmap)(address, bytes); });
}

WARPSHARE_HOOK CUresult cuMemExportToShareableHandle(void* shareable_handle, Handle handle,
                                                     CUmemAllocationHandleType type,
                                                     unsigned long long flags) {
  const CUresult result = REAL(cuMemExportToShareableHandle)(shareable_handle, handle, type, flags);
  if (result == CUDA_SUCCESS && Session::Current() != nullptr) {
    Physical().NoteExport(NameOfExport(shareable_handle, type, /*is_import=*/false), handle);
  }
  return result;
}

WARPSHARE_HOOK CUresult cuMemImportFromShareableHandle(Handle* handle, void* shareable_handle,
                                                       CUmemAllocationHandleType type) {
  const auto call = [=] {
    return REAL(cuMemImportFromShareableHandle)(handle, shareable_handle, type);
  };
  if (Session::Current() == nullptr) return call();
  const ExportName name = NameOfExport(shareable_handle, type, /*is_import=*/true);
  return Physical().Import(handle, name, call);
}
