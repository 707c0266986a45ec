// The account of one tenant on one card: a total over all its processes and
// each process's part.
//
// Any number of threads of any number of processes use it at once, without
// locks. It is exact: a reservation is granted if and only if the total, with
// all reservations in flight, stays within the limit; and a process killed
// between any two instructions leaves nothing that cannot be repaired.
//
// How. A change is one 16-byte compare-and-swap on the card's total. That word
// carries the new sum and, beside it, the change itself: whose part, how many
// bytes, and a sequence number. The part is brought up to date in a second
// step, which anybody may take: before a total is replaced, the change that it
// carries is applied to the part it names, unless the part says that it has it
// already. So at most one change per card is ever half done, whoever comes next
// completes it, and
//
//     sum of all parts == total          once the last change is applied.
//
// A dead process's part is therefore known to the byte, and giving it back is
// one more change.
//
// Why nothing is applied twice: a change's sequence number differs from the one
// in the part it names; a part carries a 55-bit version, so a delayed
// compare-and-swap on it fails. The total's own sequence has 29 bits: a thread
// would have to be stopped between two instructions of Change() for an exact
// multiple of 2^29 changes that end in the same total, owner and size to
// mistake one for another.
//
// Trust: the words are in memory that the tenant can write. Garbage in them
// gives wrong sums to that tenant and nobody else; it never leads out of bounds
// or into an endless loop of one thread.
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"
#include "ledger/words.h"

namespace warpshare::ledger {

enum class Verdict : uint8_t {
  kGranted,
  kOverLimit, // nothing was changed
};

class CardLedger {
public:
  // Both outlive the ledger; `card` < abi::kMaxCards.
  CardLedger(abi::UsagePageV1 &page, uint32_t card)
      : page_(page), card_(card) {}

  // Adds `bytes` to the part of `slot` if the total then stays within `limit`.
  // A limit of abi::kNoLimit still counts. Does not count a refusal: see
  // CountRefusal.
  [[nodiscard]] Verdict Reserve(uint32_t slot, uint64_t bytes, uint64_t limit);

  // Takes `bytes` from the part of `slot`; never below zero.
  void Release(uint32_t slot, uint64_t bytes);

  // Takes all that `slot` holds and returns it. Only for a slot whose process
  // is dead or is the caller: `still_dead(context)` is asked again before every
  // attempt, so that bytes of a new owner of the same slot are never taken.
  uint64_t Reap(uint32_t slot, bool (*still_dead)(void *context),
                void *context);

  uint64_t TotalBytes() const;
  uint64_t PartBytes(uint32_t slot); // with the change in flight applied
  uint64_t PeakBytes() const;
  uint64_t Refusals() const;
  void CountRefusal();

private:
  abi::CardUsageV1 &card() const { return page_.cards[card_]; }
  abi::Pair &part(uint32_t slot) const { return page_.slots[slot].used[card_]; }

  bool IsSettled(const Total &total) const;
  void Settle();
  void ApplyToPart(const abi::Pair &word);
  bool TryChange(abi::Pair &seen, uint32_t slot, uint64_t delta, bool negative);
  void RaisePeak(uint64_t bytes);

  abi::UsagePageV1 &page_;
  uint32_t card_;
};

} // namespace warpshare::ledger
