// A point in a stream's order, and when it is reached. Made by Op::Mark; events, waits between
// streams and blocking calls hold it. Two things become known one after the other: the time at
// which the work before the point ends (settled on ahead of real time, when the card gives the work
// its place), and that the data of that work has been moved.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace simgpu::cuda {

class StreamQueue;

class Completion {
 public:
  static constexpr uint64_t kUnknown = UINT64_MAX;

  Completion() = default;
  // Already reached at `time_ns`.
  explicit Completion(uint64_t time_ns) : time_ns_(time_ns), data_moved_(1) {}

  // On CLOCK_MONOTONIC; kUnknown until the card has given the work its time.
  uint64_t time_ns() const { return time_ns_.load(std::memory_order_acquire); }

  // What an event that stands for the point says, to the nanosecond: time_ns(), or the beginning of
  // the work behind it. It stays once asked for, and time_ns() once somebody has gone on from the
  // point: nothing may seem to come before what it waited for. When time_ns() is known.
  uint64_t stamp_ns();

  bool data_moved() const { return data_moved_.load(std::memory_order_acquire) != 0; }

  // All work before the point has ended by `now_ns`.
  bool Reached(uint64_t now_ns);

  // Blocks until it is reached, and helps the stream along meanwhile.
  void Wait();

  // The rest is for the dispatcher, under its mutex. The two setters are called once, in this
  // order, and wake the queues that subscribed.
  void SetTime(uint64_t time_ns);
  void SetDataMoved();
  // Any time after SetTime; too late once the stamp was asked for.
  void SetStamp(uint64_t stamp_ns);
  void set_queue(std::weak_ptr<StreamQueue> queue) { queue_ = std::move(queue); }
  void Subscribe(std::shared_ptr<StreamQueue> queue) { subscribers_.push_back(std::move(queue)); }

 private:
  void WakeSubscribers();

  std::atomic<uint64_t> time_ns_{kUnknown};
  std::atomic<uint64_t> stamp_ns_{kUnknown};
  std::atomic<int> data_moved_{0};    // waited on as a futex
  std::weak_ptr<StreamQueue> queue_;  // that it marks a point of
  std::vector<std::shared_ptr<StreamQueue>> subscribers_;
};

}  // namespace simgpu::cuda
