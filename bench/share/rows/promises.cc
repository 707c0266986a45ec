#include "bench/share/rows/promises.h"

#include <stdio.h>

#include <algorithm>
#include <cmath>

namespace warpshare::bench {

namespace {

void KeepWorse(Worst& worst, const Worst& other) {
  if (worst.detail.empty() || other.points > worst.points) worst = other;
}

}  // namespace

void Add(const Bench& bench, const Scene& scene, const Figure& figure) {
  bench.report.Add(figure, scene.noise());
}

std::string Detail(const std::string& name, double value) {
  char text[64];
  snprintf(text, sizeof(text), ": %.3f, ", value);
  return "\"" + name + "\"" + text;
}

Worst WorstOf(const Scene& scene, const BusySeries& series, const Period& period,
              uint64_t window_ns, double share, bool over_only) {
  const BusySeries waits = scene.Waits();
  const BusySeries lateness = scene.Lateness();
  BusySeries disturbance = waits;
  disturbance.Add(lateness);
  const auto points = [over_only](const WindowError& error) {
    return over_only ? error.over_points : error.Worst();
  };
  const WindowError worst = WorstWindow(series, period, window_ns, share);
  const CalmError calm = WorstCalmWindow(series, disturbance, kCalmPart, period, window_ns, share);
  const bool is_over = over_only || worst.over_points > worst.under_points;
  const uint64_t from_ns = period.from_ns + (is_over ? worst.over_at_ns : worst.under_at_ns);
  const Period there = {.from_ns = from_ns, .to_ns = from_ns + window_ns};
  return {.points = points(worst),
          .detail = Detail("had_percent", series.Share(there) * 100) +
                    Detail("waited_ms", waits.BusyNs(there) / kMs) +
                    Detail("late_ms", lateness.BusyNs(there) / kMs) +
                    Detail("calm_points", points(calm.worst)) +
                    Detail("calm_percent", calm.windows_percent)};
}

void JudgeShares(const Bench& bench, const Scene& scene, const std::string& row,
                 const std::string& which, const std::vector<double>& shares) {
  const Period period = scene.Between(1, scene.whole().Seconds());
  bench.report.AddTrace(row, which, scene);
  const bool is_floor = row == "floor";
  double worst_mean = 0;
  Worst second;
  Worst tenth;
  std::vector<double> parts;
  std::string detail;
  for (size_t i = 0; i < shares.size(); ++i) {
    const BusySeries series = scene.SeriesOf(i);
    const double mean = series.Share(period);
    worst_mean = std::max(worst_mean, std::abs(mean - shares[i]) * 100);
    KeepWorse(second, WorstOf(scene, series, period, kLongWindowNs, shares[i]));
    KeepWorse(tenth, WorstOf(scene, series, period, kShortWindowNs, shares[i]));
    parts.push_back(mean / shares[i]);
    detail += Detail("mean_percent_" + std::to_string(i), mean * 100) +
              Detail("charged_percent_" + std::to_string(i), scene.ChargedPercent(i));
  }
  const auto add = [&](const char* metric, const char* unit, double value, double target,
                       Wants wants, const std::string& more = "") {
    Add(bench, scene,
        {row, which, metric, unit, value, target, is_floor ? Wants::kNothing : wants,
         detail + more});
  };
  add("mean", "points", worst_mean, kLongPoints, Wants::kAtMost);
  add("worst_1s", "points", second.points, kLongPoints, Wants::kAtMost, second.detail);
  add("worst_100ms", "points", tenth.points, 0, Wants::kNothing, tenth.detail);
  add("jain", "", JainIndex(parts), 0.99, Wants::kAtLeast);
  add("busy", "percent", scene.SeriesOfAll().Share(period) * 100, kBusyPercent, Wants::kAtLeast);
}

}  // namespace warpshare::bench
