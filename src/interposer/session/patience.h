// How long a call that was refused goes on trying while others' calls are in flight: two seconds.
// Longer than the driver takes for what is held meanwhile, a context or code; and short enough for
// a program not to be taken for dead when a process of its tenant was stopped in the middle.
#pragma once

#include <cstdint>

#include "interposer/guest/kernel.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

class Patience {
 public:
  explicit Patience(Session& session) : session_(session) {}

  // Waits a little; false when it is at its end.
  bool Wait() {
    const uint64_t now = guest::NanosecondsOf(CLOCK_MONOTONIC);
    if (end_ == 0) end_ = now + kNs;
    if (now >= end_) return false;
    const timespec pause{.tv_sec = 0, .tv_nsec = kPauseNs};
    guest::SystemCall(SYS_nanosleep, guest::Word(&pause));
    session_.SweepIfDue();  // who holds the room may die with it
    return true;
  }

 private:
  static constexpr uint64_t kNs = 2'000'000'000;
  static constexpr long kPauseNs = 50'000;

  Session& session_;
  uint64_t end_ = 0;  // of CLOCK_MONOTONIC
};

}  // namespace warpshare::interposer
