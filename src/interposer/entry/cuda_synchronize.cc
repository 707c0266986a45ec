// Synchronization, after which the driver's pools let go of what is beyond their release threshold:
// the tenant gets it back then, not at its next allocation.
#include "interposer/accounts/accounts.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using namespace warpshare::interposer;

namespace {

CUresult Synchronized(CUresult result) {
  if (Session::Current() == nullptr) return result;
  Accounts& accounts = Accounts::OfProcess();
  accounts.pools.ShrinkBeyondThreshold();
  accounts.graph_memory.ShrinkAll();  // of graphs that were destroyed while they ran
  return result;
}

}  // namespace

WARPSHARE_HOOK CUresult cuCtxSynchronize() { return Synchronized(REAL(cuCtxSynchronize)()); }
WARPSHARE_HOOK CUresult cuCtxSynchronize_v2(CUcontext context) {
  return Synchronized(REAL(cuCtxSynchronize_v2)(context));
}
WARPSHARE_HOOK CUresult cuStreamSynchronize(CUstream stream) {
  return Synchronized(REAL(cuStreamSynchronize)(stream));
}
WARPSHARE_HOOK CUresult cuStreamSynchronize_ptsz(CUstream stream) {
  return Synchronized(REAL(cuStreamSynchronize_ptsz)(stream));
}
WARPSHARE_HOOK CUresult cuEventSynchronize(CUevent event) {
  return Synchronized(REAL(cuEventSynchronize)(event));
}
