// A point in a stream's order, and when it is reached. Made by Op::Mark; events, waits between
// streams and blocking calls hold it. Two things become known one after the other: the time at
// which the work before the point ends (settled on ahead of real time, when the card is free),
// and that the data of that work has been moved.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace simgpu::cuda {

class Completion {
 public:
  static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

  // On CLOCK_MONOTONIC, in ns; kUnknown until the card has given the work its time.
  int64_t time_ns() const { return time_ns_.load(std::memory_order_acquire); }

  bool data_moved() const { return data_moved_.load(std::memory_order_acquire) != 0; }

  // All work before the point has ended by `now_ns`.
  bool Reached(int64_t now_ns) const { return data_moved() && now_ns >= time_ns(); }

  // Blocks until it is reached. Not to be called by the executor or with its lock held.
  void Wait() const;

  // Both are called once, in this order, under the executor's lock.
  void SetTime(int64_t time_ns) { time_ns_.store(time_ns, std::memory_order_release); }
  void SetDataMoved();

 private:
  std::atomic<int64_t> time_ns_{kUnknown};
  std::atomic<int> data_moved_{0};  // waited on as a futex
};

}  // namespace simgpu::cuda
