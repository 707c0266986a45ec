// The owner of a soft share is idle, others use its time, and it comes back.
#include <algorithm>

#include "bench/share/rows/play.h"
#include "bench/share/rows/promises.h"

namespace warpshare::bench {

namespace {

struct Case {
  std::string name;
  const char* kernel;
  std::vector<int> percents;  // the owner's first
};

// Longer than the time over which a return is judged, at the owner's share.
constexpr uint64_t kJudgedNs = 100 * kMs;

void Judge(const Bench& bench, const Scene& scene, const Case& which) {
  const BusySeries owner = scene.SeriesOf(0);
  const double share = which.percents[0] / 100.0;
  std::vector<double> returns;
  std::vector<double> lags;
  for (const LoadBurst& burst : scene.reports(0)[0].bursts) {
    if (burst.start_ns < scene.Between(1, 1).from_ns) continue;
    const Period period = {.from_ns = burst.start_ns, .to_ns = burst.start_ns + kJudgedNs};
    if (period.to_ns >= scene.whole().to_ns) continue;
    returns.push_back(CaughtUpAfterMs(owner, period, share));
    lags.push_back(ServiceLagMs(owner, period, share));
  }
  if (returns.empty()) return;
  std::sort(returns.begin(), returns.end());
  std::sort(lags.begin(), lags.end());
  const auto add = [&](const char* metric, const char* unit, double value, double target,
                       Wants wants) {
    Add(bench, scene,
        {"soft", which.name, metric, unit, value, target, wants,
         Detail("returns", static_cast<double>(returns.size()))});
  };
  add("return_median", "ms", returns[returns.size() / 2], 5, Wants::kAtMost);
  add("return_worst", "ms", returns.back(), 5, Wants::kAtMost);
  add("lag_median", "ms", lags[lags.size() / 2], 0, Wants::kNothing);
  const Period period = scene.Between(1, scene.whole().Seconds());
  add("busy", "percent", scene.SeriesOfAll().Share(period) * 100, kBusyPercent, Wants::kAtLeast);
}

}  // namespace

void MeasureSoftReturn(const Bench& bench) {
  for (const Case& which :
       {Case{"50 50, 200us", "200us", {50, 50}}, Case{"50 50, 2ms", "2ms", {50, 50}},
        Case{"40 20 20 20, 200us", "200us", {40, 20, 20, 20}}}) {
    if (!bench.Runs(which.name)) continue;
    std::vector<TenantPlan> plans;
    for (const int percent : which.percents) {
      const Words busy = {"--kernel", which.kernel, "--depth", "64"};
      const Words sometimes = {"--mode",  "burst", "--kernel", which.kernel,
                               "--burst", "150ms", "--period", "700ms"};
      plans.push_back(
          Soft("t" + std::to_string(plans.size()), percent, plans.empty() ? sometimes : busy));
    }
    const auto scene = Played(bench, plans, bench.seconds());
    bench.report.AddTrace("soft", which.name, *scene);
    Judge(bench, *scene, which);
  }
}

}  // namespace warpshare::bench
