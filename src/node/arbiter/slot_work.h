// What one process says of its work on one card, brought within bounds. Untrue words cost the
// tenant that writes them; they cannot move anything out of the bounds below.
#pragma once

#include <cstdint>

namespace warpshare::node {

// A slot's words as they were copied.
struct SlotWords {
  uint64_t generation;
  uint64_t used_ns;
  uint64_t busy_until_ns;
  uint64_t waits_since_ns;
  uint32_t awaited_us_plus_1 = 0;
};

class SlotWork {
 public:
  // Nothing was used before `from_ns`.
  explicit SlotWork(uint64_t from_ns) : seen_ns_(from_ns) {}

  // Returns the GPU time used since the last look, without what is in flight still. Never more than
  // the clock allows for long; a word that went back counts as all the time that passed; another
  // owner of the slot starts new.
  uint64_t Look(const SlotWords& words, uint64_t now_ns);

  // <= the last look + kMostBusyNs; 0: nothing was in flight.
  uint64_t busy_until_ns() const { return busy_until_ns_; }
  // The same, at the latest, as far as anybody will tell: no sooner than that, and no more than
  // kMostLateEndNs later.
  uint64_t surely_until_ns() const { return surely_until_ns_; }
  // A thread waits for work that should have ended: that is late, or the thread is.
  bool is_overdue() const { return is_overdue_; }

  // <= the last look. 0: nothing waits, or nothing that counts.
  uint64_t WaitsSince(uint64_t now_ns) const;

  // Was it called, and none of its threads came? `may_run_since_ns` is when its tenant was last
  // told to run; UINT64_MAX: it was told to wait.
  bool IsNoShow(uint64_t now_ns, uint64_t may_run_since_ns) const;

  // Its waiting does not count for a while, or until it says something else.
  void Ignore(uint64_t now_ns, bool lives);

 private:
  // One of its threads did something, though another may still wait to be given a processor.
  void Came(uint64_t now_ns);
  void ReadEnd(const SlotWords& words, uint64_t now_ns);
  uint64_t DoneNs(const SlotWords& words, uint64_t now_ns) const;
  void BeginOwner(const SlotWords& words, uint64_t now_ns);

  uint64_t generation_ = 0;
  uint64_t seen_ns_;
  uint64_t used_ns_ = 0;     // the word, not a sum
  uint64_t done_ns_ = 0;     // of it, by the last look
  uint64_t may_use_ns_ = 0;  // what may be believed at once
  uint64_t busy_until_ns_ = 0;
  uint64_t surely_until_ns_ = 0;
  bool is_overdue_ = false;
  uint64_t waits_since_ns_ = 0;
  uint64_t came_ns_ = 0;  // the look that saw it do something last
  uint64_t ignored_until_ns_ = 0;
  uint32_t misses_ = 0;
};

}  // namespace warpshare::node
