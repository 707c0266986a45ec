#include "bench/share/load/progress.h"

#include <time.h>

namespace warpshare::load {

namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;

}  // namespace

uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kNsPerSecond + static_cast<uint64_t>(now.tv_nsec);
}

void SleepUntil(uint64_t when_ns) {
  const timespec when = {.tv_sec = static_cast<time_t>(when_ns / kNsPerSecond),
                         .tv_nsec = static_cast<long>(when_ns % kNsPerSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) != 0) {
  }
}

void Progress::Add(double submissions) {
  const std::lock_guard lock(mutex_);
  last_ = {.at_ns = NowNs(), .done = last_.done + submissions};
}

Progress::Mark Progress::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void Progress::Add(const Burst& burst) {
  const std::lock_guard lock(mutex_);
  bursts_.push_back(burst);
}

std::vector<Burst> Progress::bursts() const {
  const std::lock_guard lock(mutex_);
  return bursts_;
}

}  // namespace warpshare::load
