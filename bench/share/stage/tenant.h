// A tenant of the bench: what it was promised, and the load programs that run in it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/share/stage/sim_machine.h"

namespace warpshare::bench {

struct TenantPlan {
  std::string name;
  std::vector<std::string> terms;  // of `warpshare run`; none: it runs bare
  std::vector<std::string> load;   // of share_load
  int processes = 1;
};

TenantPlan Hard(const std::string& name, int percent, std::vector<std::string> load);
TenantPlan Soft(const std::string& name, int percent, std::vector<std::string> load);
TenantPlan Weighted(const std::string& name, int weight, std::vector<std::string> load);
TenantPlan Priority(const std::string& name, const std::string& which,
                    std::vector<std::string> load);
TenantPlan Bare(const std::string& name, std::vector<std::string> load);

struct LoadBurst {
  uint64_t start_ns;
  uint64_t latency_ns;
};

struct LoadReport {
  double done = 0;  // submissions
  double seconds = 0;
  double p50_us = 0;
  double p99_us = 0;
  std::vector<LoadBurst> bursts;
  bool complete = false;  // it came to its end and said so
  double PerSecond() const { return seconds > 0 ? done / seconds : 0; }
};

// The number after "name": in JSON; 0 if it is not there.
double NumberIn(const std::string& json, const std::string& name);

// Started, and waiting for the word to begin.
class TenantRun {
 public:
  TenantRun(const SimMachine& machine, TenantPlan plan, double seconds);

  const TenantPlan& plan() const { return plan_; }
  void AwaitReady();  // ends the bench with the tenant's complaint if it does not come
  void Go();
  void Kill();                              // all its programs, with SIGKILL
  const std::vector<LoadReport>& Finish();  // awaits their end
  std::vector<pid_t> processes() const { return pids_; }

 private:
  TenantPlan plan_;
  std::vector<std::unique_ptr<testing::RunningProgram>> programs_;
  std::vector<pid_t> pids_;
  std::vector<LoadReport> reports_;
};

}  // namespace warpshare::bench
