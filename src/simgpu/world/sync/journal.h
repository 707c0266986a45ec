// Makes a change of several shared words happen as a whole or not at all, whenever its author is
// killed. A transaction lists the new values in the journal, then commits by one store, then writes
// them. The journal belongs to a robust lock: who acquires it after a holder's death finishes a
// committed transaction; an uncommitted one never happened. Words written under a lock are written
// through its journal, so what the lock protects is always whole.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "simgpu/world/sync/robust_lock.h"

namespace simgpu::world {

// A shared value. Written under a lock; some are read without.
using Word = std::atomic<uint64_t>;

inline uint64_t Get(const Word& word) { return word.load(std::memory_order_relaxed); }

struct JournalEntry {
  Word target;  // byte offset of the word from the journal itself; for a fill, of the first word of
                // the bits
  Word value;   // for a fill: its first bit
  Word count;   // 0: one word. Otherwise a fill of count / 2 bits, with ones when odd
};

struct Journal {
  static constexpr uint64_t kCapacity = 48;
  Word committed;  // entries to be written; 0: nothing under way
  JournalEntry entries[kCapacity];
};

// Writes what is committed, if anything. The caller holds the lock.
void FinishCommitted(Journal& journal);

class Transaction {
 public:
  explicit Transaction(Journal& journal) : journal_(journal) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Each word at most once in a transaction.
  void Set(Word& word, uint64_t value) { Append(word, value, 0); }
  void Add(Word& word, uint64_t amount) { Set(word, Get(word) + amount); }
  void Subtract(Word& word, uint64_t amount) { Set(word, Get(word) - amount); }
  void Fill(Word* bits, uint64_t first, uint64_t count, bool ones) {
    Append(bits[0], first, count * 2 + (ones ? 1 : 0));
  }

  void Commit();

 private:
  void Append(Word& word, uint64_t value, uint64_t count);
  Journal& journal_;
  uint64_t size_ = 0;
};

// A lock with the journal of what it protects.
struct Guarded {
  RobustLock lock;
  Journal journal;
};

// Holds a Guarded for a scope, and mends first where a holder died.
class Section {
 public:
  explicit Section(Guarded& guarded);
  ~Section() { guarded_.lock.Release(); }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  Guarded& guarded_;
};

}  // namespace simgpu::world
