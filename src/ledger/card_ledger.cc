#include "ledger/card_ledger.h"

#include "ledger/pair_atomics.h"
#include "ledger/room.h"

namespace warpshare::ledger {

namespace {

uint32_t PartSequence(const abi::Pair& part) {
  return UnpackPart({0, __atomic_load_n(&part.high, __ATOMIC_ACQUIRE)}).sequence;
}

// The total after a change that is the slot's only one since the last was applied.
Total Begin(const Total& total, uint32_t slot, uint32_t sequence, const Change& change) {
  return {.bytes = Apply(total.bytes, change.bytes, change.negative),
          .slot = slot,
          .delta = change.bytes,
          .negative = change.negative,
          .sequence = sequence,
          .open = true};
}

// Whether a part read between two totals goes with the second: no other change was applied to it.
bool IsPartSteady(const Total& before, const Total& after, uint32_t slot) {
  if (before.slot != slot && after.slot != slot) return true;
  return before.slot == after.slot && before.sequence == after.sequence;
}

}  // namespace

bool CardLedger::IsSettled(const Total& total) const {
  return PartSequence(part(total.slot)) == total.sequence;
}

// Applies the change that the total carries to its part, if nobody has yet. May be overtaken by its
// slot, which adds to it: then it is to do again.
void CardLedger::Settle() {
  abi::Pair word = LoadWhole(card().total);
  if (IsSettled(Unpack(word))) return;
  if (IsOpen(word)) {
    const abi::Pair closed{word.low, word.high & ~kOpenBit};
    if (!CompareExchange(card().total, word, closed)) return;
    word = closed;
  }
  ApplyToPart(word);
}

// Brings the part that `word`, a closed total read whole, names up to date. The order matters: the
// part is read first, then the total again. If the total is still the same, its change was either
// pending or applied when the part was read; if it moves on afterwards, the part's version has
// moved too and the swap fails.
void CardLedger::ApplyToPart(const abi::Pair& word) {
  const Total total = Unpack(word);
  abi::Pair& target = part(total.slot);
  abi::Pair before = LoadHalves(target);
  const Part old = UnpackPart(before);
  if (old.sequence == total.sequence) return;
  if (!(LoadHalves(card().total) == word)) return;
  const Part next{.bytes = Apply(old.bytes, total.delta, total.negative),
                  .sequence = total.sequence,
                  .version = old.version + 1};
  CompareExchange(target, before, PackPart(next));
}

// One attempt to replace the total `seen`, which then holds the new one; on failure a newer one.
bool CardLedger::TryChange(abi::Pair& seen, uint32_t slot, const Change& change) {
  if (IsOpenTo(seen, slot)) return TryExtend(seen, change);
  const Total total = Unpack(seen);
  if (!IsSettled(total)) {
    Settle();
    seen = LoadWhole(card().total);
    return false;
  }
  uint32_t sequence = (total.sequence + 1) & kSequenceMask;
  if (sequence == PartSequence(part(slot))) sequence = (sequence + 1) & kSequenceMask;
  const abi::Pair next = Pack(Begin(total, slot, sequence, change));
  if (!CompareExchange(card().total, seen, next)) return false;
  seen = next;
  return true;
}

// If nobody had room before, and nobody announced any since, the new total is firm as it stands.
Verdict CardLedger::Reserve(uint32_t slot, uint64_t bytes, uint64_t limit) {
  const uint64_t rooms = card().rooms.load();
  const uint64_t total = Claim(slot, bytes, limit);
  if (total == kRefused) return Verdict::kOverLimit;
  if (total <= PeakBytes()) return Verdict::kGranted;
  if (RoomsOf(rooms) == Rooms::kNone && card().rooms.load() == rooms) {
    RaisePeakTo(total);
  } else {
    RaisePeak();
  }
  return Verdict::kGranted;
}

Verdict CardLedger::ReserveRoom(uint32_t slot, uint64_t bytes, uint64_t limit) {
  return Claim(slot, bytes, limit) == kRefused ? Verdict::kOverLimit : Verdict::kGranted;
}

uint64_t CardLedger::Claim(uint32_t slot, uint64_t bytes, uint64_t limit) {
  abi::Pair seen = LoadHalves(card().total);
  do {
    if (!Fits(seen, bytes, limit)) return kRefused;
  } while (!TryChange(seen, slot, {.bytes = bytes, .negative = false}));
  return seen.low & kMaxBytes;
}

void CardLedger::Release(uint32_t slot, uint64_t bytes) {
  abi::Pair seen = LoadHalves(card().total);
  while (!TryChange(seen, slot, {.bytes = bytes, .negative = true})) {
  }
}

uint64_t CardLedger::Reap(uint32_t slot, bool (*still_dead)(void* context), void* context) {
  while (true) {
    abi::Pair seen = LoadWhole(card().total);
    if (!IsSettled(Unpack(seen))) {
      Settle();
      continue;
    }
    // Settled before it is read: as long as the total stays `seen`, the part stays too.
    const uint64_t bytes = UnpackPart(LoadWhole(part(slot))).bytes;
    if (bytes == 0 || !still_dead(context)) return 0;
    if (TryChange(seen, slot, {.bytes = bytes, .negative = true})) return bytes;
  }
}

uint64_t CardLedger::TotalBytes() const {
  return __atomic_load_n(&card().total.low, __ATOMIC_ACQUIRE) & kMaxBytes;
}

// Changes nothing, so that a look at a busy slot does not slow its owner down. The part was read
// between the two totals; after kMaxLooks at ever new ones the last reading must do.
uint64_t CardLedger::PartBytes(uint32_t slot) const {
  constexpr int kMaxLooks = 100;
  Total before = Unpack(LoadWhole(card().total));
  for (int look = 1;; ++look) {
    const Part own = UnpackPart(LoadWhole(part(slot)));
    const Total after = Unpack(LoadWhole(card().total));
    if (IsPartSteady(before, after, slot) || look == kMaxLooks) {
      const bool is_pending = after.slot == slot && after.sequence != own.sequence;
      return is_pending ? Apply(own.bytes, after.delta, after.negative) : own.bytes;
    }
    before = after;
  }
}

uint64_t CardLedger::Refusals() const { return card().refusals.load(std::memory_order_relaxed); }

void CardLedger::CountRefusal() { card().refusals.fetch_add(1, std::memory_order_relaxed); }

std::optional<uint64_t> CardLedger::FirmBytes() const {
  const Room room = LookForRoom(page_, card_);
  const uint64_t total = TotalBytes();
  if (LookForRoom(page_, card_) != room) return std::nullopt;
  return total > room.bytes ? total - room.bytes : 0;
}

// A peak that was over before anybody could look at it is not noted.
void CardLedger::RaisePeak() {
  constexpr int kMaxLooks = 100;
  for (int look = 0; look < kMaxLooks && TotalBytes() > PeakBytes(); ++look) {
    if (const auto firm = FirmBytes()) return RaisePeakTo(*firm);
  }
}

void CardLedger::RaisePeakTo(uint64_t bytes) {
  uint64_t peak = PeakBytes();
  while (bytes > peak && !card().peak_bytes.compare_exchange_weak(peak, bytes)) {
  }
}

}  // namespace warpshare::ledger
