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

template <typename Call>
CUresult Await(EndWait wait, Call call) {
  const CUresult result = call();
  if (result == CUDA_SUCCESS) wait.Ended();
  return Synchronized(result);
}

CUresult Asked(CUstream stream, CUresult result) {
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_READY)
    StreamAsked(stream, result == CUDA_SUCCESS);
  return result;
}

template <typename Call>
CUresult AwaitContext(Call call) {
  return Await(EndWait(EndWait::For::kContext), call);
}
template <typename Call>
CUresult AwaitStream(CUstream stream, Call call) {
  return Await(EndWait(EndWait::For::kStream, stream), call);
}

}  // namespace

WARPSHARE_HOOK CUresult cuCtxSynchronize() {
  return AwaitContext([] { return REAL(cuCtxSynchronize)(); });
}
WARPSHARE_HOOK CUresult cuCtxSynchronize_v2(CUcontext context) {
  const auto call = [context] { return REAL(cuCtxSynchronize_v2)(context); };
  CUcontext current = nullptr;
  const bool is_current = REAL(cuCtxGetCurrent)(&current) == CUDA_SUCCESS && current == context;
  return is_current ? AwaitContext(call) : Synchronized(call());
}
WARPSHARE_HOOK CUresult cuStreamSynchronize(CUstream stream) {
  return AwaitStream(Legacy(stream), [=] { return REAL(cuStreamSynchronize)(stream); });
}
WARPSHARE_HOOK CUresult cuStreamSynchronize_ptsz(CUstream stream) {
  return AwaitStream(PerThread(stream), [=] { return REAL(cuStreamSynchronize_ptsz)(stream); });
}
WARPSHARE_HOOK CUresult cuStreamQuery(CUstream stream) {
  return Asked(Legacy(stream), REAL(cuStreamQuery)(stream));
}
WARPSHARE_HOOK CUresult cuStreamQuery_ptsz(CUstream stream) {
  return Asked(PerThread(stream), REAL(cuStreamQuery_ptsz)(stream));
}
WARPSHARE_HOOK CUresult cuEventSynchronize(CUevent event) {
  return Await(EndWait(EndWait::For::kEvent), [=] { return REAL(cuEventSynchronize)(event); });
}
