// The short way for a change of a card's total, for the case that nearly all changes are: the total
// is still open to the run of changes that the same slot made last (card_ledger.h). Then it takes
// one swap and few instructions, and what is known of the slot itself need not be read again:
//
//   whoever takes a slot from its owner ends the slot's runs, on every card, before anybody else
//   has it (slot_table.h), and a run that ended does not come back, as long as its sequence number
//   does not.
//
// So a process reads its run after a change that went the long way, then makes sure that it holds
// the slot, and goes the short way until that fails.
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"
#include "ledger/pair_atomics.h"
#include "ledger/words.h"

namespace warpshare::ledger {

inline constexpr uint64_t kNoRun = UINT64_MAX;  // of no total

// The run that `slot` may go on with, or kNoRun.
inline uint64_t RunOpenTo(const abi::CardUsageV1& card, uint32_t slot) {
  const abi::Pair seen = LoadHalves(card.total);
  return IsOpen(seen) && SlotOf(seen) == slot ? RunOf(seen) : kNoRun;
}

// As CardLedger::ReserveRoom of the run's slot. False: nothing was changed, and the long way
// decides.
[[gnu::always_inline]] inline bool TryReserveRoomInRun(abi::CardUsageV1& card, uint64_t run,
                                                       uint64_t bytes, uint64_t limit) {
  abi::Pair seen = LoadHalves(card.total);
  const uint64_t sum = (seen.low & kMaxBytes) + bytes;
  if (RunOf(seen) != run || sum < bytes || sum > limit || sum > kMaxBytes) [[unlikely]]
    return false;
  return CompareExchange(card.total, seen, {seen.low + bytes, AddToDelta(seen.high, bytes)});
}

// As CardLedger::Reserve, in the same way; about a new peak, too, the long way decides.
[[gnu::always_inline]] inline bool TryReserveInRun(abi::CardUsageV1& card, uint64_t run,
                                                   uint64_t bytes, uint64_t limit) {
  const uint64_t peak = card.peak_bytes.load(std::memory_order_relaxed);
  return TryReserveRoomInRun(card, run, bytes, limit < peak ? limit : peak);
}

// As CardLedger::Release of the run's slot.
[[gnu::always_inline]] inline bool TryReleaseInRun(abi::CardUsageV1& card, uint64_t run,
                                                   uint64_t bytes) {
  abi::Pair seen = LoadHalves(card.total);
  if (RunOf(seen) != run || bytes > (seen.low & kMaxBytes)) [[unlikely]]
    return false;
  return CompareExchange(card.total, seen, {seen.low - bytes, AddToDelta(seen.high, 0 - bytes)});
}

}  // namespace warpshare::ledger
