// How long threads that were ready to run waited for a processor, as the kernel counts it
// (/proc/PID/task/TID/schedstat): time in which nobody could have given the card work, whoever
// shares it out. Who sleeps on a timer that ends late is not in it, nor a virtual machine's
// processor that was away: TimerLateness has those.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <vector>

#include "bench/share/truth/busy_series.h"

namespace warpshare::bench {

class ProcessorWaits {
 public:
  ProcessorWaits() = default;
  ~ProcessorWaits();
  ProcessorWaits(const ProcessorWaits&) = delete;
  ProcessorWaits& operator=(const ProcessorWaits&) = delete;

  // What all threads of these waited since the last look. New threads are found within a few looks;
  // of those, and of the first look, nothing is told.
  void Look(const std::vector<pid_t>& processes, uint64_t now_ns);

  const BusySeries& series() const { return series_; }  // of all threads together

 private:
  struct Thread {
    int file;
    uint64_t waited_ns;
  };

  void Find(const std::vector<pid_t>& processes);

  std::map<pid_t, Thread> threads_;
  BusySeries series_;
  uint64_t looks_ = 0;
  uint64_t last_look_ns_ = 0;
};

}  // namespace warpshare::bench
