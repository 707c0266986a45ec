// When the machine was away: a thread on each processor sleeps for five milliseconds at a time and
// writes down by how much it woke late. As it goes before every ordinary thread (SCHED_FIFO), that
// is a timer's doing, or of a virtual machine's processor that ran something else: time in which
// nobody is woken, whoever shares out the card. Without the right to go before others (not root),
// it waits for a processor as they do, and that is in it, too.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "bench/share/truth/busy_series.h"

namespace warpshare::bench {

class TimerLateness {
 public:
  TimerLateness();
  ~TimerLateness();
  TimerLateness(const TimerLateness&) = delete;
  TimerLateness& operator=(const TimerLateness&) = delete;

  // Of all processors together; without what is ordinary (kOrdinaryNs).
  BusySeries series() const;

  static constexpr uint64_t kOrdinaryNs = 300'000;

 private:
  void Run(int processor);

  mutable std::mutex mutex_;
  std::vector<BusyPiece> pieces_;
  std::atomic<bool> ends_{false};
  std::vector<std::thread> threads_;
};

}  // namespace warpshare::bench
