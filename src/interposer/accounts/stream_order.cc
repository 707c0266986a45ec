#include "interposer/accounts/stream_order.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// A host function gets one word: bytes below, the card above.
constexpr uint32_t kCardShift = 48;

void GiveBackPacked(void* packed) {
  const auto word = reinterpret_cast<uint64_t>(packed);
  Bury({.bytes = word & ((uint64_t{1} << kCardShift) - 1),
        .card = static_cast<uint8_t>(word >> kCardShift),
        .kind = static_cast<uint8_t>(Charged::kItself),
        .owner = 0});
}

}  // namespace

bool IsCapturing(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return REAL(cuStreamIsCapturing)(stream, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void BuryInOrder(const Live& live, CUstream stream) {
  uint64_t bytes = live.bytes;
  uint32_t card = live.card;
  if (live.kind == static_cast<uint8_t>(Charged::kPool)) {
    const Pools::Rest rest =
        Accounts::OfProcess().pools.Free(live, reinterpret_cast<uint64_t>(stream));
    bytes = rest.bytes;
    card = rest.account == nullptr ? abi::kMaxCards : rest.account->card();
  }
  if (bytes == 0) return;
  const uint64_t word = bytes | uint64_t{card} << kCardShift;
  void* packed = reinterpret_cast<void*>(word);
  // A stream that takes no more work has no memory to wait for either.
  if (REAL(cuLaunchHostFunc)(stream, GiveBackPacked, packed) != CUDA_SUCCESS) {
    GiveBackPacked(packed);
  }
}

}  // namespace warpshare::interposer
