#include "simgpu/world/sync/journal.h"

#include <algorithm>

#include "simgpu/world/sync/damage.h"

namespace simgpu::world {
namespace {

void WriteBits(Word* bits, uint64_t first, uint64_t count, bool ones) {
  while (count > 0) {
    const uint64_t shift = first % 64;
    const uint64_t here = std::min(count, 64 - shift);
    const uint64_t mask = (here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1) << shift;
    Word& word = bits[first / 64];
    word.store(ones ? Get(word) | mask : Get(word) & ~mask, std::memory_order_relaxed);
    first += here;
    count -= here;
  }
}

void Write(Journal& journal, const JournalEntry& entry) {
  auto* target = reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(&journal) +
                                         static_cast<int64_t>(Get(entry.target)));
  const uint64_t count = Get(entry.count);
  if (count == 0) {
    target->store(Get(entry.value), std::memory_order_relaxed);
  } else {
    WriteBits(target, Get(entry.value), count / 2, count % 2 == 1);
  }
}

}  // namespace

void FinishCommitted(Journal& journal) {
  const uint64_t size = journal.committed.load(std::memory_order_acquire);
  if (size > Journal::kCapacity) StopForDamage("a journal of the world is overwritten");
  for (uint64_t i = 0; i < size; ++i) Write(journal, journal.entries[i]);
  // After the writes: a death in between repeats them, which changes nothing.
  journal.committed.store(0, std::memory_order_release);
}

void Transaction::Append(Word& word, uint64_t value, uint64_t count) {
  if (size_ == Journal::kCapacity) StopForDamage("a change is larger than its journal");
  JournalEntry& entry = journal_.entries[size_++];
  const std::ptrdiff_t offset =
      reinterpret_cast<std::byte*>(&word) - reinterpret_cast<std::byte*>(&journal_);
  entry.target.store(static_cast<uint64_t>(offset), std::memory_order_relaxed);
  entry.value.store(value, std::memory_order_relaxed);
  entry.count.store(count, std::memory_order_relaxed);
}

void Transaction::Commit() {
  // Release: a killed author's stores become visible in this order, so a committed journal is
  // complete.
  journal_.committed.store(size_, std::memory_order_release);
  FinishCommitted(journal_);
  size_ = 0;
}

Section::Section(Guarded& guarded) : guarded_(guarded) {
  if (guarded_.lock.Acquire() == RobustLock::Outcome::kHolderDied) {
    FinishCommitted(guarded_.journal);
    guarded_.lock.Mended();
  }
}

}  // namespace simgpu::world
