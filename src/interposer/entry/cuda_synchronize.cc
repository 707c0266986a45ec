// Synchronization. Afterwards the card has done what was in flight, and the driver's pools let go
// of what is beyond their release threshold: the tenant gets it back then, not at its next
// allocation.
#include "interposer/accounts/accounts.h"
#include "interposer/compute/metering.h"
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

CUresult ContextSynchronized(CUresult result) {
  if (result == CUDA_SUCCESS) ContextEnded();
  return Synchronized(result);
}

CUresult StreamSynchronized(CUstream stream, CUresult result) {
  if (result == CUDA_SUCCESS) StreamEnded(stream);
  return Synchronized(result);
}

}  // namespace

WARPSHARE_HOOK CUresult cuCtxSynchronize() { return ContextSynchronized(REAL(cuCtxSynchronize)()); }
WARPSHARE_HOOK CUresult cuCtxSynchronize_v2(CUcontext context) {
  CUcontext current = nullptr;
  const bool is_current = REAL(cuCtxGetCurrent)(&current) == CUDA_SUCCESS && current == context;
  const CUresult result = REAL(cuCtxSynchronize_v2)(context);
  return is_current ? ContextSynchronized(result) : Synchronized(result);
}
WARPSHARE_HOOK CUresult cuStreamSynchronize(CUstream stream) {
  return StreamSynchronized(Legacy(stream), REAL(cuStreamSynchronize)(stream));
}
WARPSHARE_HOOK CUresult cuStreamSynchronize_ptsz(CUstream stream) {
  return StreamSynchronized(PerThread(stream), REAL(cuStreamSynchronize_ptsz)(stream));
}
WARPSHARE_HOOK CUresult cuEventSynchronize(CUevent event) {
  return Synchronized(REAL(cuEventSynchronize)(event));
}
