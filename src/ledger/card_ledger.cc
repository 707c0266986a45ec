#include "ledger/card_ledger.h"

#include "ledger/pair_atomics.h"

namespace warpshare::ledger {

namespace {

uint32_t PartSequence(const abi::Pair &part) {
  return UnpackPart({0, __atomic_load_n(&part.high, __ATOMIC_ACQUIRE)})
      .sequence;
}

} // namespace

bool CardLedger::IsSettled(const Total &total) const {
  return PartSequence(part(total.slot)) == total.sequence;
}

// Completes the last change if nobody has yet.
void CardLedger::Settle() {
  if (IsSettled(Unpack(LoadHalves(card().total))))
    return;
  ApplyToPart(LoadWhole(card().total));
}

// Brings the part that `word`, a total read whole, names up to date. The order
// matters: the part is read first, then the total again. If the total is still
// the same, its change was either pending or applied when the part was read; if
// it moves on afterwards, the part's version has moved too and the swap fails.
void CardLedger::ApplyToPart(const abi::Pair &word) {
  const Total total = Unpack(word);
  abi::Pair &target = part(total.slot);
  abi::Pair before = LoadHalves(target);
  const Part old = UnpackPart(before);
  if (old.sequence == total.sequence)
    return;
  if (!(LoadHalves(card().total) == word))
    return;
  const Part next{.bytes = Apply(old.bytes, total.delta, total.negative),
                  .sequence = total.sequence,
                  .version = old.version + 1};
  CompareExchange(target, before, PackPart(next));
}

// One attempt to replace the total `seen`, whose change must be complete. On
// failure `seen` holds a newer total.
bool CardLedger::TryChange(abi::Pair &seen, uint32_t slot, uint64_t delta,
                           bool negative) {
  const Total total = Unpack(seen);
  if (!IsSettled(total)) {
    Settle();
    seen = LoadWhole(card().total);
    return false;
  }
  const uint32_t taken = PartSequence(part(slot));
  uint32_t sequence = (total.sequence + 1) & kSequenceMask;
  if (sequence == taken)
    sequence = (sequence + 1) & kSequenceMask;
  const Total next{.bytes = Apply(total.bytes, delta, negative),
                   .slot = slot,
                   .delta = delta,
                   .negative = negative,
                   .sequence = sequence};
  const abi::Pair desired = Pack(next);
  if (!CompareExchange(card().total, seen, desired))
    return false;
  if (!negative)
    RaisePeak(next.bytes);
  ApplyToPart(desired);
  return true;
}

Verdict CardLedger::Reserve(uint32_t slot, uint64_t bytes, uint64_t limit) {
  const uint64_t ceiling = limit < kMaxBytes ? limit : kMaxBytes;
  abi::Pair seen = LoadHalves(card().total);
  do {
    const uint64_t used = seen.low & kMaxBytes;
    if (used > ceiling || bytes > ceiling - used)
      return Verdict::kOverLimit;
  } while (!TryChange(seen, slot, bytes, /*negative=*/false));
  return Verdict::kGranted;
}

void CardLedger::Release(uint32_t slot, uint64_t bytes) {
  abi::Pair seen = LoadHalves(card().total);
  while (!TryChange(seen, slot, bytes, /*negative=*/true)) {
  }
}

uint64_t CardLedger::Reap(uint32_t slot, bool (*still_dead)(void *context),
                          void *context) {
  while (true) {
    abi::Pair seen = LoadWhole(card().total);
    if (!IsSettled(Unpack(seen))) {
      Settle();
      continue;
    }
    // Settled before it is read: as long as the total stays `seen`, the part
    // stays too.
    const uint64_t bytes = UnpackPart(LoadWhole(part(slot))).bytes;
    if (bytes == 0 || !still_dead(context))
      return 0;
    if (TryChange(seen, slot, bytes, /*negative=*/true))
      return bytes;
  }
}

uint64_t CardLedger::TotalBytes() const {
  return __atomic_load_n(&card().total.low, __ATOMIC_ACQUIRE) & kMaxBytes;
}

uint64_t CardLedger::PartBytes(uint32_t slot) {
  Settle();
  return UnpackPart(LoadHalves(part(slot))).bytes;
}

uint64_t CardLedger::PeakBytes() const {
  return card().peak_bytes.load(std::memory_order_relaxed);
}

uint64_t CardLedger::Refusals() const {
  return card().refusals.load(std::memory_order_relaxed);
}

void CardLedger::CountRefusal() {
  card().refusals.fetch_add(1, std::memory_order_relaxed);
}

void CardLedger::RaisePeak(uint64_t bytes) {
  uint64_t peak = card().peak_bytes.load(std::memory_order_relaxed);
  while (bytes > peak &&
         !card().peak_bytes.compare_exchange_weak(peak, bytes)) {
  }
}

} // namespace warpshare::ledger
