// The look-up through which CUDA runtimes get every function: the driver chooses the variant, then
// we put our hook for that variant in its place.
#include "abi/driver/cuda_driver.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/dispatch/hook_table.h"

using warpshare::abi::CudaIndex;
using warpshare::interposer::DriverHas;
using warpshare::interposer::Substitute;

WARPSHARE_HOOK CUresult cuGetProcAddress(const char* symbol, void** function, int version,
                                         cuuint64_t flags) {
  const CUresult result = REAL(cuGetProcAddress)(symbol, function, version, flags);
  if (result == CUDA_SUCCESS && function != nullptr && *function != nullptr) {
    *function =
        Substitute({.name = symbol, .version = version, .flags = flags, .from_driver = *function});
  }
  return result;
}

WARPSHARE_HOOK CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version,
                                            cuuint64_t flags,
                                            CUdriverProcAddressQueryResult* status) {
  CUresult result = REAL(cuGetProcAddress_v2)(symbol, function, version, flags, status);
  if (result == CUDA_ERROR_NOT_SUPPORTED && !DriverHas(CudaIndex::cuGetProcAddress_v2)) {
    // A driver before CUDA 12; we export the name all the same, so we must serve it.
    result = REAL(cuGetProcAddress)(symbol, function, version, flags);
    if (status != nullptr) {
      *status = result == CUDA_SUCCESS ? CU_GET_PROC_ADDRESS_SUCCESS
                                       : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
  }
  if (result == CUDA_SUCCESS && function != nullptr && *function != nullptr) {
    *function =
        Substitute({.name = symbol, .version = version, .flags = flags, .from_driver = *function});
  }
  return result;
}
