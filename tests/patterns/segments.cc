#include <unistd.h>

#include <vector>

#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

namespace {

CUmemAllocationProp OnDevice(CUdevice device, CUmemAllocationHandleType handles) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = handles;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return properties;
}

}  // namespace

// One reservation larger than the card, then memory behind it piece by piece until refused.
Outcome ExpandableSegments(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  size_t total = 0, step = 0;
  WANT_OK(api.cuDeviceTotalMem(&total, tenant.device));
  const CUmemAllocationProp properties = OnDevice(tenant.device, CU_MEM_HANDLE_TYPE_NONE);
  WANT_OK(api.cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  const size_t piece = (20 * kMiB + step - 1) / step * step;
  const size_t span = (total + total / 8) / piece * piece;
  CUdeviceptr base = 0;
  WANT_OK(api.cuMemAddressReserve(&base, span, 0, 0, 0));

  const size_t wanted = tenant.limited ? SIZE_MAX : 10;
  size_t pieces = 0;
  std::vector<CUmemGenericAllocationHandle> handles;
  CUresult result = CUDA_SUCCESS;
  while (pieces < wanted) {
    CUmemGenericAllocationHandle handle = 0;
    result = api.cuMemCreate(&handle, piece, &properties, 0);
    if (result != CUDA_SUCCESS) break;
    WANT_OK(api.cuMemMap(base + pieces * piece, piece, 0, handle, 0));
    handles.push_back(handle);
    ++pieces;
  }
  if (tenant.limited) WANT(CUDA_ERROR_OUT_OF_MEMORY, result);
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, tenant.device},
                               CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  WANT_OK(api.cuMemSetAccess(base, pieces * piece, &access, 1));
  unsigned char byte = 0;
  WANT_OK(api.cuMemsetD8(base + pieces * piece - 1, 0x5a, 1));
  WANT_OK(api.cuMemcpyDtoH(&byte, base + pieces * piece - 1, 1));
  WANT_TRUE(byte == 0x5a);

  // Released first, unmapped after: the memory stays charged until both have happened.
  const size_t held = FreeBytes(tenant);
  for (const CUmemGenericAllocationHandle handle : handles) WANT_OK(api.cuMemRelease(handle));
  if (tenant.limited) WANT_TRUE(FreeBytes(tenant) == held);
  WANT_OK(api.cuMemUnmap(base, pieces * piece));
  if (tenant.limited) WANT_TRUE(FreeBytes(tenant) == held + pieces * piece);
  WANT_OK(api.cuMemAddressFree(base, span));
  return {};
}

Outcome HandlesSharedByDescriptor(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  const CUmemAllocationProp properties =
      OnDevice(tenant.device, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  size_t step = 0;
  WANT_OK(api.cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  const size_t bytes = 4 * step;
  const size_t before = FreeBytes(tenant);
  CUmemGenericAllocationHandle handle = 0, imported = 0, retained = 0;
  WANT_OK(api.cuMemCreate(&handle, bytes, &properties, 0));
  int descriptor = -1;
  WANT_OK(api.cuMemExportToShareableHandle(&descriptor, handle,
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  WANT_OK(api.cuMemImportFromShareableHandle(
      &imported, reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(descriptor);
  CUdeviceptr address = 0;
  WANT_OK(api.cuMemAddressReserve(&address, bytes, 0, 0, 0));
  WANT_OK(api.cuMemMap(address, bytes, 0, imported, 0));
  WANT_OK(api.cuMemRetainAllocationHandle(&retained, reinterpret_cast<void*>(address)));
  // The card holds it once, however many names it has, and until the last of them is gone.
  if (tenant.limited) WANT_TRUE(FreeBytes(tenant) == before - bytes);
  WANT_OK(api.cuMemRelease(handle));
  WANT_OK(api.cuMemRelease(imported));
  WANT_OK(api.cuMemUnmap(address, bytes));
  if (tenant.limited) WANT_TRUE(FreeBytes(tenant) == before - bytes);
  WANT_OK(api.cuMemRelease(retained));
  if (tenant.limited) WANT_TRUE(FreeBytes(tenant) == before);
  WANT_OK(api.cuMemAddressFree(address, bytes));
  return {};
}

}  // namespace warpshare::patterns
