// What this process does to its tenant's account on one card. Charge before the driver is called,
// give back what the driver refused and what was freed.
//
//   CardAccount* account = session->AccountOfCurrentContext();
//   if (account != nullptr && !account->Charge(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
//   const CUresult result = REAL(cuMemAlloc_v2)(pointer, bytes);
//   if (result != CUDA_SUCCESS && account != nullptr) account->GiveBack(bytes);
//
// All calls: any thread, no lock; none but Charge waits.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/region/limits_page.h"
#include "interposer/guest/split_counter.h"
#include "ledger/card_ledger.h"
#include "ledger/memory_slot.h"
#include "ledger/run.h"

namespace warpshare::interposer {

class Session;

class CardAccount {
 public:
  // Takes `bytes` if the tenant's total over all its processes then stays within the limit. When it
  // does not fit, dead processes' bytes are taken back; when it would fit but for room that calls
  // in flight hold, it is tried until they are over (patience.h). False: nothing was changed, the
  // refusal is counted.
  [[nodiscard]] bool Charge(uint64_t bytes);

  // The two parts of Charge, for a caller who knows what else might make room: TryCharge neither
  // looks for dead processes nor counts a refusal; Refuse does, and returns false.
  [[nodiscard, gnu::always_inline]] inline bool TryCharge(uint64_t bytes) {
    return TryChargeInRun(bytes) || TryChargeSlowly(bytes);
  }
  bool Refuse(uint64_t bytes);
  // TryCharge by few instructions (ledger/run.h), or false: nothing was changed, and the long way
  // decides.
  [[nodiscard, gnu::always_inline]] inline bool TryChargeInRun(uint64_t bytes) {
    abi::CardUsageV1* const usage = usage_;
    if (usage == nullptr) [[unlikely]]
      return false;
    if (!ledger::TryReserveInRun(*usage, run_.load(std::memory_order_relaxed), bytes,
                                 limits_->memory_limit_bytes.load(std::memory_order_relaxed)))
        [[unlikely]]
      return false;
    own_.Add(kOneChange + bytes);
    return true;
  }

  // TryCharge for room that will mostly be given back (ledger/room.h). EndRoom, after what is not
  // needed was given back, makes what remains an ordinary charge.
  [[nodiscard]] bool TryHoldRoom(uint64_t bytes);
  // By few instructions, or false: then the long way decides.
  [[nodiscard]] bool TryHoldRoomInRun(uint64_t bytes);
  void EndRoom(uint64_t bytes);
  void ReturnRoom(uint64_t bytes);  // where nothing of it was needed

  // Whether `bytes` fit, or would but for room that calls in flight hold.
  bool MayFit(uint64_t bytes) const;

  // Counts bytes that the driver has taken already, over the limit if need be (a context, code):
  // they are there, and leaving them out would let the next allocation pass that no longer fits.
  void ChargeTaken(uint64_t bytes);

  // Of what this process is charged, so much goes to a slot that holds memory: the tenant's total
  // stays. It is this process's all the same (Own) until EndMoved, or goes back to its part.
  void MoveTo(uint32_t slot, uint64_t bytes);
  void MoveBack(const ledger::MemorySlot& memory, uint64_t bytes);
  void EndMoved(uint64_t bytes);

  // 0 bytes too are a change (Own): the driver freed what was charged nothing.
  [[gnu::always_inline]] inline void GiveBack(uint64_t bytes) {
    if (!TryGiveBackInRun(bytes)) GiveBackSlowly(bytes);
  }

  // GiveBack by few instructions, or false: nothing was changed.
  [[nodiscard, gnu::always_inline]] inline bool TryGiveBackInRun(uint64_t bytes) {
    abi::CardUsageV1* const usage = usage_;
    if (usage == nullptr) [[unlikely]]
      return false;
    if (!ledger::TryReleaseInRun(*usage, run_.load(std::memory_order_relaxed), bytes)) [[unlikely]]
      return false;
    own_.Add(kOneChange - bytes);
    return true;
  }

  uint64_t LimitBytes()
      const;  // abi::kNoLimit when there is none; 0 for a card that was not granted
  uint64_t UsedBytes() const;  // by all processes of the tenant

  // What this process is charged, with room, and how often that changed, modulo 2^16; room that
  // came and went does not count as a change.
  struct Holdings {
    uint64_t bytes;
    uint64_t changes;
    bool operator==(const Holdings&) const = default;
  };
  Holdings Own() const {
    const uint64_t word = own_.Sum() + own_room_.Sum();
    return {.bytes = word & (kOneChange - 1), .changes = word / kOneChange};
  }

  // At this moment; only Charge is a promise.
  bool HasRoomFor(uint64_t bytes) const {
    const uint64_t limit = LimitBytes();
    const uint64_t used = UsedBytes();
    return used <= limit && bytes <= limit - used;
  }
  bool IsLimited() const {
    return (limits_ == nullptr
                ? LimitBytes()
                : limits_->memory_limit_bytes.load(std::memory_order_relaxed)) != abi::kNoLimit;
  }

  // Position on the limits page and in the usage file; abi::kMaxCards for a card that was not
  // granted.
  uint32_t card() const { return card_; }
  // The line of memory that a change meets; null where there is none. For fetching it early.
  const void* total() const { return usage_; }
  // What the card's limits page says of it; null for a card that was not granted.
  const abi::CardLimitsV1* limits() const { return limits_; }

 private:
  friend class Session;

  static constexpr uint64_t kOneChange = uint64_t{1} << 48;  // more bytes than a card has

  static Session& session();  // of which it is a part
  [[gnu::cold]] bool TryChargeSlowly(uint64_t bytes);
  [[gnu::cold]] void GiveBackSlowly(uint64_t bytes);
  void Attach();    // of a session that has a slot, to a card that was granted
  void LearnRun();  // after a change that went the long way

  template <typename Take>
  void Move(uint32_t to, uint64_t bytes, Take take);
  inline void WithdrawRoom(uint32_t slot, uint64_t bytes);
  void Enter();  // what this process holds, into a slot that is new and empty
  void LogChange(const char* what, uint64_t bytes) const;

  // What every allocation reads, and seldom changes.
  abi::CardUsageV1* usage_ = nullptr;  // null: the short way is not open
  const abi::CardLimitsV1* limits_ = nullptr;
  std::atomic<uint64_t> run_;  // that the short way goes on with
  uint32_t card_ = 0;
  // What every allocation changes is, of the first account, in the next line (session.h): who only
  // reads, such as launches of another thread, keeps his.
  // Kept beside the ledger so that a process whose slot was taken for dead can enter its bytes
  // again.
  alignas(32) guest::SplitCounter own_;  // Holdings without room: bytes below, changes above
  guest::SplitCounter own_room_;         // announced and reserved
};

}  // namespace warpshare::interposer
