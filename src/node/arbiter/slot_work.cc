#include "node/arbiter/slot_work.h"

#include <algorithm>
#include <utility>

#include "ledger/slot_table.h"
#include "node/arbiter/timing.h"

namespace warpshare::node {

void SlotWork::BeginOwner(const SlotWords& words, uint64_t now_ns) {
  *this = SlotWork(std::min(seen_ns_, now_ns));
  generation_ = words.generation;
  may_use_ns_ = kAheadNs;
}

// A process counts what it submits; so much of that the card is still to do.
uint64_t SlotWork::DoneNs(const SlotWords& words, uint64_t now_ns) const {
  const uint64_t ahead_ns = std::min(words.busy_until_ns - std::min(words.busy_until_ns, now_ns),
                                     std::min(words.used_ns, kMostDrainNs));
  const uint64_t done_ns = words.used_ns - ahead_ns;
  return words.used_ns < used_ns_ ? done_ns : std::max(done_ns, done_ns_);
}

uint64_t SlotWork::Look(const SlotWords& words, uint64_t now_ns) {
  const bool is_taken = ledger::IsTaken(words.generation);
  // Who gave the slot back since then had its last words left in it.
  const bool is_same_owner = ledger::IsTaken(generation_) && (words.generation == generation_ ||
                                                              words.generation == generation_ + 1);
  if (!is_same_owner) {
    if (!is_taken) return 0;
    BeginOwner(words, now_ns);
  }
  generation_ = words.generation;
  const uint64_t passed_ns = now_ns - std::exchange(seen_ns_, now_ns);
  may_use_ns_ = std::min(may_use_ns_ + std::min(passed_ns, kMostCaughtUpNs), kMostCaughtUpNs);
  const uint64_t done_ns = DoneNs(words, now_ns);
  const uint64_t says_ns = words.used_ns < used_ns_ ? passed_ns : done_ns - done_ns_;
  const uint64_t used_ns = std::min(says_ns, may_use_ns_);
  may_use_ns_ -= used_ns;
  const uint64_t waits_since_ns = is_taken ? std::min(words.waits_since_ns, now_ns) : 0;
  if (waits_since_ns != waits_since_ns_ || words.used_ns != used_ns_) Came(now_ns);
  used_ns_ = words.used_ns;
  done_ns_ = done_ns;
  waits_since_ns_ = waits_since_ns;
  busy_until_ns_ = is_taken ? std::min(words.busy_until_ns, now_ns + kMostBusyNs) : 0;
  ReadEnd(words, now_ns);
  return used_ns;
}

void SlotWork::Came(uint64_t now_ns) {
  came_ns_ = now_ns;
  ignored_until_ns_ = 0;
  misses_ = 0;
}

void SlotWork::ReadEnd(const SlotWords& words, uint64_t now_ns) {
  surely_until_ns_ = busy_until_ns_;
  is_overdue_ = false;
  if (words.awaited_us_plus_1 == 0 || busy_until_ns_ == 0) return;
  const uint64_t late_ns = (words.awaited_us_plus_1 - uint64_t{1}) * 1'000;
  surely_until_ns_ += std::min(late_ns, kMostLateEndNs);
  is_overdue_ = busy_until_ns_ + kWakesUpNs < now_ns && now_ns < busy_until_ns_ + kMostLateEndNs;
  if (is_overdue_ && late_ns != 0)
    surely_until_ns_ = std::max(surely_until_ns_, now_ns + kOverdueNs);
}

uint64_t SlotWork::WaitsSince(uint64_t now_ns) const {
  return now_ns < ignored_until_ns_ ? 0 : waits_since_ns_;
}

bool SlotWork::IsNoShow(uint64_t now_ns, uint64_t may_run_since_ns) const {
  const uint64_t waits_since_ns = WaitsSince(now_ns);
  return waits_since_ns != 0 && waits_since_ns <= may_run_since_ns && busy_until_ns_ <= now_ns &&
         may_run_since_ns <= now_ns && now_ns - std::max(may_run_since_ns, came_ns_) >= kNoShowNs;
}

void SlotWork::Ignore(uint64_t now_ns, bool lives) {
  misses_ = lives ? std::min(misses_ + 1, kMostMisses) : kMostMisses;
  ignored_until_ns_ = now_ns + (kLeastIgnoredNs << misses_);
}

}  // namespace warpshare::node
