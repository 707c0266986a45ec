#include "interposer/accounts/stream_order.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/dispatch/default_stream.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

void EndPending(void* name) {
  Accounts::OfProcess().pending_frees.End(reinterpret_cast<uint64_t>(name));
}

// Null of a green context's stream, and when the driver will not say.
CUcontext ContextOf(CUstream stream) {
  CUcontext context = nullptr;
  const CUresult result =
      IsDefault(stream) ? REAL(cuCtxGetCurrent)(&context) : REAL(cuStreamGetCtx)(stream, &context);
  return result == CUDA_SUCCESS ? context : nullptr;
}

void GiveBackInOrder(uint64_t bytes, uint32_t card, CUstream stream) {
  if (bytes == 0) return;
  const uint64_t name =
      Accounts::OfProcess().pending_frees.Add({.bytes = bytes,
                                               .card = static_cast<uint8_t>(card),
                                               .kind = static_cast<uint8_t>(Charged::kItself),
                                               .owner = OwnerOf(ContextOf(stream))});
  // A stream that takes no more work has no memory to wait for either.
  void* argument = reinterpret_cast<void*>(name);
  if (REAL(cuLaunchHostFunc)(stream, EndPending, argument) != CUDA_SUCCESS) EndPending(argument);
}

void GiveBackInOrder(const Pools::Rest& rest, CUstream stream) {
  GiveBackInOrder(rest.bytes, rest.account == nullptr ? abi::kMaxCards : rest.account->card(),
                  stream);
}

}  // namespace

bool IsCapturing(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return REAL(cuStreamIsCapturing)(stream, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void BuryInOrder(const Live& live, CUstream stream) {
  if (live.kind == static_cast<uint8_t>(Charged::kPool)) {
    Pools& pools = Accounts::OfProcess().pools;
    GiveBackInOrder(pools.Free(live, reinterpret_cast<uint64_t>(stream)), stream);
  } else {
    GiveBackInOrder(live.bytes, live.card, stream);
  }
}

void BuryPoolInOrder(PoolRecord& record, CUstream stream) {
  GiveBackInOrder(Accounts::OfProcess().pools.Bury(record), stream);
}

}  // namespace warpshare::interposer
