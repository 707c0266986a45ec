// One experiment: tenants that run side by side for a while, and what the cards and the programs
// know of it afterwards.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/share/stage/tenant.h"
#include "bench/share/truth/recorder.h"
#include "bench/share/truth/timer_lateness.h"
#include "bench/share/truth/windows.h"

namespace warpshare::bench {

// How much the machine was disturbed meanwhile.
struct Noise {
  double steal_percent = 0;      // of all cores
  double processor_percent = 0;  // busy, by anybody
  double lateness_us = 0;        // the worst of a thread that sleeps 5 ms at a time
};

class Scene {
 public:
  Scene(const SimMachine& machine, std::vector<TenantPlan> plans, double seconds);

  // While it plays. Times since the start are of CLOCK_MONOTONIC.
  void SleepUntil(double seconds) const;
  TenantRun& tenant(size_t index) { return *tenants_[index]; }
  void Start(size_t index);  // one that Play was told not to
  uint64_t Now() const;

  // Starts all but the last `late` tenants, calls `meanwhile`, and returns when all have ended.
  void Play(size_t late = 0, const std::function<void(Scene&)>& meanwhile = {});

  size_t tenant_count() const { return tenants_.size(); }
  const TenantPlan& plan(size_t index) const { return tenants_[index]->plan(); }
  Period whole() const { return period_; }
  Period Between(double from_seconds, double to_seconds) const;
  BusySeries SeriesOf(size_t index, int card = 0) const;
  BusySeries SeriesOfAll(int card = 0) const;
  BusySeries Waits() const { return recorder_.Waits(); }      // of the tenants for a processor
  BusySeries Lateness() const { return lateness_.series(); }  // of the machine's timers
  const std::vector<LoadReport>& reports(size_t index) const { return reports_[index]; }
  // What the tenant's own library counted of what the card did for it, in percent; 0: not known.
  double ChargedPercent(size_t index) const;
  const Noise& noise() const { return noise_; }

 private:
  const SimMachine& machine_;
  std::vector<std::unique_ptr<TenantRun>> tenants_;
  std::vector<std::vector<LoadReport>> reports_;
  std::string accounts_;       // of `warpshare ps`, near the end ...
  uint64_t accounted_ns_ = 0;  // ... at this time
  double seconds_;
  Recorder recorder_;
  TimerLateness lateness_;
  Period period_{};
  Noise noise_;
};

}  // namespace warpshare::bench
