// The monotonic clock and waiting on it.
#pragma once

#include <chrono>
#include <thread>

namespace warpshare::platform {

class Clock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  virtual ~Clock() = default;
  virtual Time Now() const = 0;
  virtual void Sleep(Duration duration) = 0;
};

class SystemClock final : public Clock {
 public:
  Time Now() const override { return std::chrono::steady_clock::now(); }
  void Sleep(Duration duration) override { std::this_thread::sleep_for(duration); }
};

}  // namespace warpshare::platform
