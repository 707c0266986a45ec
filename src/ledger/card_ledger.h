// The account of one tenant on one card: a total over all its processes and each process's part.
//
// Any number of threads of any number of processes use it at once, without locks. It is exact: a
// reservation is granted if and only if the total, with all reservations in flight, stays within
// the limit; and a process killed between any two instructions leaves nothing that cannot be
// repaired.
//
// How. A change is one 16-byte compare-and-swap on the card's total. That word carries the new sum
// and, beside it, the change itself: whose part, how many bytes, and a sequence number. Further
// changes of the same process add to it in the same way, as long as it is open. The part is brought
// up to date later, by whoever wants to change the total for another part: he closes the change,
// applies it to the part it names, unless the part says that it has it already, and then replaces
// the total. So at most one change a card is owed to a part, whoever comes next completes it, and
//
//     sum of all parts + the change that is owed == total          at any moment.
//
// A dead process's part is therefore known to the byte, and giving it back is one more change. A
// process that is alone on the card makes one swap a call (run.h), two that take turns three.
//
// Why nothing is applied twice: only a closed change is applied, and a closed change stays as it is
// until it was applied. Its sequence number differs from the one in the part; a part carries a
// 56-bit version, so a delayed compare-and-swap on it fails. The total's own sequence has 28 bits:
// a thread would have to be stopped between two instructions of ApplyToPart() for an exact multiple
// of 2^28 handovers that end in the same total, owner and size to mistake one for another.
//
// Trust: the words are in memory that the tenant can write. Garbage in them gives wrong sums to
// that tenant and nobody else; it never leads out of bounds or into an endless loop of one thread.
#pragma once

#include <cstdint>
#include <optional>

#include "abi/region/usage_page.h"
#include "ledger/pair_atomics.h"
#include "ledger/words.h"

namespace warpshare::ledger {

enum class Verdict : uint8_t {
  kGranted,
  kOverLimit,  // nothing was changed
};

struct Change {
  uint64_t bytes;
  bool negative;  // gives them back
};

class CardLedger {
 public:
  // Both outlive the ledger; `card` < abi::kMaxCards.
  CardLedger(abi::UsagePageV1& page, uint32_t card) : page_(page), card_(card) {}

  // Adds `bytes` to the part of `slot` if the total then stays within `limit`. A limit of
  // abi::kNoLimit still counts. Does not count a refusal: see CountRefusal.
  [[nodiscard]] Verdict Reserve(uint32_t slot, uint64_t bytes, uint64_t limit);

  // The same, for a claim on room that will mostly be given back: the peak stays as it is, until
  // NotePeak says what remained. Nor does room that others announced (room.h) count for the peak.
  [[nodiscard]] Verdict ReserveRoom(uint32_t slot, uint64_t bytes, uint64_t limit);
  void NotePeak() {
    if (TotalBytes() > PeakBytes()) [[unlikely]]
      RaisePeak();
  }

  // Takes `bytes` from the part of `slot`; never below zero.
  void Release(uint32_t slot, uint64_t bytes);

  // Takes all that `slot` holds and returns it. Only for a slot whose process is dead or is the
  // caller: `still_dead(context)` is asked again before every attempt, so that bytes of a new owner
  // of the same slot are never taken.
  uint64_t Reap(uint32_t slot, bool (*still_dead)(void* context), void* context);

  uint64_t TotalBytes() const;
  // The total of one moment without the room that was announced then. Nothing if room came or went
  // while the two were looked at.
  std::optional<uint64_t> FirmBytes() const;
  uint64_t PartBytes(uint32_t slot) const;  // with the change that is owed to it
  uint64_t PeakBytes() const;
  uint64_t Refusals() const;
  void CountRefusal();

 private:
  static constexpr uint64_t kRefused = UINT64_MAX;

  abi::CardUsageV1& card() const { return page_.cards[card_]; }
  abi::Pair& part(uint32_t slot) const { return page_.slots[slot].used[card_]; }

  // Whether a change of `slot` may be added to what the total carries: one swap and no more.
  static bool IsOpenTo(const abi::Pair& total, uint32_t slot) {
    return IsOpen(total) && SlotOf(total) == slot;
  }
  static bool Fits(const abi::Pair& total, uint64_t bytes, uint64_t limit) {
    const uint64_t used = total.low & kMaxBytes;
    const uint64_t ceiling = limit < kMaxBytes ? limit : kMaxBytes;
    return used <= ceiling && bytes <= ceiling - used;
  }
  bool TryExtend(abi::Pair& seen, const Change& change) {
    const abi::Pair next = Extend(seen, change.bytes, change.negative);
    if (!CompareExchange(card().total, seen, next)) return false;
    seen = next;
    return true;
  }

  bool IsSettled(const Total& total) const;
  void Settle();
  void ApplyToPart(const abi::Pair& word);
  uint64_t Claim(uint32_t slot, uint64_t bytes, uint64_t limit);  // the new total, or kRefused
  bool TryChange(abi::Pair& seen, uint32_t slot, const Change& change);
  void RaisePeak();  // to what is firm
  void RaisePeakTo(uint64_t bytes);

  abi::UsagePageV1& page_;
  uint32_t card_;
};

inline uint64_t CardLedger::PeakBytes() const {
  return card().peak_bytes.load(std::memory_order_relaxed);
}

}  // namespace warpshare::ledger
