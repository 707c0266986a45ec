// What a load has done so far: told by the thread that submits, read by the one that reports.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace warpshare::load {

uint64_t NowNs();  // CLOCK_MONOTONIC
void SleepUntil(uint64_t when_ns);

struct Burst {
  uint64_t start_ns;  // its first submission
  uint64_t latency_ns;
};

class Progress {
 public:
  void Add(uint64_t submissions) { done_.fetch_add(submissions, std::memory_order_relaxed); }
  void Add(const Burst& burst);

  uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  std::vector<Burst> bursts() const;

 private:
  std::atomic<uint64_t> done_{0};
  mutable std::mutex mutex_;
  std::vector<Burst> bursts_;
};

}  // namespace warpshare::load
