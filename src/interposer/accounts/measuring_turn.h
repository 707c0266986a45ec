// Whose turn it is to measure what all processes of a tenant want to know. The others wait for the
// result. Who has the turn has its slot in a word of the usage page; one that died is replaced.
// Nobody waits longer than two seconds: who does not get the result measures too, without a turn.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/guest/kernel.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

class MeasuringTurn {
 public:
  // `holder` is on the usage page of an open session, `is_ours` this process's own word beside it.
  MeasuringTurn(Session& session, std::atomic<uint64_t>& holder, std::atomic<bool>& is_ours)
      : session_(session), holder_(holder), is_ours_(is_ours) {}

  // Waits until `is_known()`, and returns false, or until it is the caller's turn.
  template <typename IsKnown>
  bool Await(IsKnown is_known) {
    const uint64_t start = guest::NanosecondsOf(CLOCK_MONOTONIC);
    while (!is_known()) {
      if (Take()) return true;
      if (guest::NanosecondsOf(CLOCK_MONOTONIC) - start >= kMostWaitNs) return false;
      Sleep();
    }
    return false;
  }

  void End();

 private:
  static constexpr uint64_t kMostWaitNs = 2'000'000'000;

  bool Take();
  bool TakeFromOthers();
  void Sleep();

  Session& session_;
  std::atomic<uint64_t>& holder_;  // slot + 1; 0: nobody
  std::atomic<bool>& is_ours_;     // one thread of this process has the turn, or tries to get it
};

}  // namespace warpshare::interposer
