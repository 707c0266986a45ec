// warpshare-scheduler as a process of its own, so that its memory is its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace warpshare::bench {

// Of its one busy thread, since it began; to the last tick of the kernel (4 ms) while it runs.
struct DaemonTime {
  double ran_ms = 0;
  double waited_ms = 0;  // it could have run, and there was no core for it
};

class SchedulerProcess {
 public:
  // The program lies beside this one.
  SchedulerProcess(uint16_t api_server_port, const std::string& folder);
  ~SchedulerProcess();

  uint16_t port() const;  // 0 until it listens
  bool is_alive() const;
  // MiB: what it holds now, and the most it ever held.
  double Rss() const { return StatusMiB("VmRSS:"); }
  double PeakRss() const { return StatusMiB("VmHWM:"); }
  DaemonTime Time() const;

 private:
  double StatusMiB(const std::string& field) const;

  std::string log_;
  pid_t pid_ = 0;
};

}  // namespace warpshare::bench
