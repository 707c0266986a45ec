// A clock that stands still until somebody sleeps on it.
#pragma once

#include "platform/clock/clock.h"

namespace warpshare::platform {

class FakeClock final : public Clock {
 public:
  Time Now() const override { return now_; }
  void Sleep(Duration duration) override { now_ += duration; }

 private:
  Time now_{};
};

}  // namespace warpshare::platform
