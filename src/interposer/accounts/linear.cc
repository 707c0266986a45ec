#include "interposer/accounts/linear.h"

#include "interposer/accounts/stream_order.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

bool IsUnknownPointer(CUdeviceptr pointer, CUresult refusal) {
  unsigned int type = 0;
  return refusal == CUDA_ERROR_INVALID_VALUE &&
         REAL(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer) ==
             CUDA_ERROR_INVALID_VALUE;
}

void FreeUnremembered(uint64_t pointer) { REAL(cuMemFree_v2)(pointer); }

CUresult FreeExported(uint64_t pointer, DriverCall call) {
  return Accounts::OfProcess().ipc_memory.Free(pointer, call);
}

void EndFreeInOrder(CUdeviceptr pointer, CUstream stream, const Live& live, CUresult result) {
  if (result == CUDA_SUCCESS) {
    BuryInOrder(live, stream);
  } else {
    EndFree(Accounts::pointers(), pointer, live, IsUnknownPointer(pointer, result));
  }
}

}  // namespace warpshare::interposer
