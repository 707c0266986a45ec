// What a load has done so far: told by the thread that submits, read by the one that reports.
#pragma once

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
  // Of what is done now; where their lengths vary, so many of mean length. From one thread.
  void Add(double submissions);
  void Add(const Burst& burst);

  // The last Add, so that a rate between two of them is exact, however many they add at a time.
  struct Mark {
    uint64_t at_ns;
    double done;
  };
  Mark last() const;
  std::vector<Burst> bursts() const;

 private:
  Mark last_{};
  mutable std::mutex mutex_;
  std::vector<Burst> bursts_;
};

}  // namespace warpshare::load
