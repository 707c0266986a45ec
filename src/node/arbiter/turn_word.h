// The turn on a tenant's limits page, as the arbiter writes it. Odd: its processes may submit.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/region/compute.h"
#include "platform/futex/futex.h"

namespace warpshare::node {

class TurnWord {
 public:
  TurnWord(abi::TurnV1& turn, platform::Futex& futex) : turn_(turn), futex_(futex) {}

  bool MayRun() const { return (turn_.word.load(std::memory_order_relaxed) & 1) != 0; }

  // Changes nothing, and wakes nobody, if it is so already. Sequentially consistent: a process says
  // that it has work in flight, then reads the word; the arbiter writes the word, then reads what
  // is in flight. One of the two sees the other.
  void Set(bool may_run) const {
    if (MayRun() == may_run) return;
    turn_.word.fetch_add(1);
    futex_.WakeAll(turn_.word);
  }

  // The word holds until then; first said, then the word.
  void Renew(uint64_t valid_until_ns) const { turn_.valid_until_ns.store(valid_until_ns); }

  // abi::TurnV1::most_ahead_us.
  void SetMostAhead(uint32_t us) const { turn_.most_ahead_us.store(us, std::memory_order_relaxed); }

  // abi::TurnV1::card_free_ns; before the word becomes odd.
  void SetCardFree(uint64_t ns) const { turn_.card_free_ns.store(ns, std::memory_order_relaxed); }

  // abi::TurnV1::ends_ns. Whoever waits though the word is odd slept when it was over by itself.
  void SetEnd(uint64_t ns, bool somebody_waits) const {
    const bool had_end = turn_.ends_ns.exchange(ns) != 0;
    if (had_end && somebody_waits && MayRun()) futex_.WakeAll(turn_.word);
  }

  // abi::TurnV1::shared_since_ns, shared_until_ns; before the word becomes odd for somebody else.
  void SetShared(bool is_shared, uint64_t now_ns) const {
    if (is_shared == (turn_.shared_since_ns.load(std::memory_order_relaxed) != 0)) return;
    if (!is_shared) turn_.shared_until_ns.store(now_ns, std::memory_order_relaxed);
    turn_.shared_since_ns.store(is_shared ? now_ns : 0);
  }

  void AddGranted(uint64_t ns) const {
    turn_.granted_ns.store(turn_.granted_ns.load(std::memory_order_relaxed) + ns,
                           std::memory_order_relaxed);
  }

  // There is no arbiter any more; whoever waits is told so.
  void Abandon() const {
    Renew(0);
    turn_.word.fetch_add(MayRun() ? 1 : 2);
    futex_.WakeAll(turn_.word);
  }

 private:
  abi::TurnV1& turn_;
  platform::Futex& futex_;
};

}  // namespace warpshare::node
