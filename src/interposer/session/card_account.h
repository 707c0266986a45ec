// What this process does to its tenant's account on one card. Charge before the driver is called,
// give back what the driver refused and what was freed.
//
//   CardAccount* account = session->AccountOfCurrentContext();
//   if (account != nullptr && !account->Charge(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
//   const CUresult result = REAL(cuMemAlloc_v2)(pointer, bytes);
//   if (result != CUDA_SUCCESS && account != nullptr) account->GiveBack(bytes);
//
// All calls: any thread, no lock, no wait.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/region/limits_page.h"
#include "ledger/card_ledger.h"

namespace warpshare::interposer {

class Session;

class CardAccount {
 public:
  // Takes `bytes` if the tenant's total over all its processes then stays within the limit. When it
  // does not fit, dead processes' bytes are taken back and it is tried once more. False: nothing
  // was changed, the refusal is counted.
  [[nodiscard]] bool Charge(uint64_t bytes);

  // The two parts of Charge, for a caller who knows what else might make room: TryCharge neither
  // looks for dead processes nor counts a refusal; Refuse does, and returns false.
  [[nodiscard]] bool TryCharge(uint64_t bytes);
  bool Refuse(uint64_t bytes);

  // TryCharge for room that will mostly be given back: no peak is noted, until NotePeak says that
  // what is charged now is really held.
  [[nodiscard]] bool TryHoldRoom(uint64_t bytes);
  void NotePeak();

  // Counts bytes that the driver has taken already, over the limit if need be (a context, code):
  // they are there, and leaving them out would let the next allocation pass that no longer fits.
  void ChargeTaken(uint64_t bytes);

  void GiveBack(uint64_t bytes);

  uint64_t LimitBytes()
      const;  // abi::kNoLimit when there is none; 0 for a card that was not granted
  uint64_t UsedBytes() const;  // by all processes of the tenant
  uint64_t OwnBytes() const {
    return own_bytes_.load(std::memory_order_relaxed);
  }  // by this process
  // At this moment; only Charge is a promise.
  bool HasRoomFor(uint64_t bytes) const {
    const uint64_t limit = LimitBytes();
    const uint64_t used = UsedBytes();
    return used <= limit && bytes <= limit - used;
  }
  bool IsLimited() const { return LimitBytes() != abi::kNoLimit; }

  // Position on the limits page and in the usage file; abi::kMaxCards for a card that was not
  // granted.
  uint32_t card() const { return card_; }

 private:
  friend class Session;

  using Reservation = ledger::Verdict (ledger::CardLedger::*)(uint32_t, uint64_t, uint64_t);
  bool Take(uint64_t bytes, Reservation reserve);

  void Enter();  // what this process holds, into a slot that is new and empty
  void LogChange(const char* what, uint64_t bytes) const;

  Session* session_ = nullptr;  // until the session is open
  uint32_t card_ = 0;
  // Kept beside the ledger so that a process whose slot was taken for dead can enter its bytes
  // again.
  std::atomic<uint64_t> own_bytes_;
};

}  // namespace warpshare::interposer
