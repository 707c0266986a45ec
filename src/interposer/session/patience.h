// How long somebody goes on trying while others are in the middle of what may make room. For room
// that a call in flight holds (ledger/room.h), a minute: a driver takes many seconds to compile
// code, or to make the contexts of many processes that start at once. Whoever waits stops before,
// when the call is over or its process dead, as both end the room; so the minute is only for a call
// that hangs, or a process that was stopped in the middle.
#pragma once

#include <cstdint>

#include "interposer/guest/kernel.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

class Patience {
 public:
  static constexpr uint64_t kCallNs = 60'000'000'000;
  static constexpr uint64_t kStreamNs = 2'000'000'000;  // for a stream to get where it was told to

  explicit Patience(Session& session, uint64_t most_ns = kCallNs)
      : session_(session), most_ns_(most_ns) {}

  // Counted from the first time that either is called.
  bool IsOver() { return Waited() >= most_ns_; }

  // Waits a little, longer as time goes by; false when it is at its end.
  bool Wait() {
    const uint64_t waited = Waited();
    if (waited >= most_ns_) return false;
    const uint64_t share = waited / 32;
    const uint64_t pause = share < kLeastPauseNs  ? kLeastPauseNs
                           : share > kMostPauseNs ? kMostPauseNs
                                                  : share;
    const timespec time{.tv_sec = 0, .tv_nsec = static_cast<long>(pause)};
    guest::SystemCall(SYS_nanosleep, guest::Word(&time));
    session_.SweepIfDue();  // who holds the room may die with it
    return true;
  }

 private:
  static constexpr uint64_t kLeastPauseNs = 50'000;
  static constexpr uint64_t kMostPauseNs = 2'000'000;

  uint64_t Waited() {
    const uint64_t now = guest::NanosecondsOf(CLOCK_MONOTONIC);
    if (start_ == 0) start_ = now;
    return now - start_;
  }

  Session& session_;
  uint64_t most_ns_;
  uint64_t start_ = 0;  // of CLOCK_MONOTONIC
};

}  // namespace warpshare::interposer
