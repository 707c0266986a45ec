#include "bench/share/rows/promises.h"

#include <stdio.h>

#include <algorithm>
#include <cmath>

namespace warpshare::bench {

void Add(const Bench& bench, const Scene& scene, const Figure& figure) {
  bench.report.Add(figure, scene.noise());
}

std::string Detail(const std::string& name, double value) {
  char text[64];
  snprintf(text, sizeof(text), ": %.3f, ", value);
  return "\"" + name + "\"" + text;
}

void JudgeShares(const Bench& bench, const Scene& scene, const std::string& row,
                 const std::string& which, const std::vector<double>& shares) {
  const Period period = scene.Between(1, scene.whole().Seconds());
  bench.report.AddTrace(row, which, scene);
  const bool is_floor = row == "floor";
  double worst_mean = 0;
  double worst_second = 0;
  double worst_tenth = 0;
  std::vector<double> parts;
  std::string detail;
  for (size_t i = 0; i < shares.size(); ++i) {
    const BusySeries series = scene.SeriesOf(i);
    const double mean = series.Share(period);
    worst_mean = std::max(worst_mean, std::abs(mean - shares[i]) * 100);
    worst_second =
        std::max(worst_second, WorstWindow(series, period, kLongWindowNs, shares[i]).Worst());
    worst_tenth =
        std::max(worst_tenth, WorstWindow(series, period, kShortWindowNs, shares[i]).Worst());
    parts.push_back(mean / shares[i]);
    detail += Detail("mean_percent_" + std::to_string(i), mean * 100) +
              Detail("charged_percent_" + std::to_string(i), scene.ChargedPercent(i));
  }
  const auto add = [&](const char* metric, const char* unit, double value, double target,
                       Wants wants) {
    Add(bench, scene,
        {row, which, metric, unit, value, target, is_floor ? Wants::kNothing : wants, detail});
  };
  add("mean", "points", worst_mean, kLongPoints, Wants::kAtMost);
  add("worst_1s", "points", worst_second, kLongPoints, Wants::kAtMost);
  add("worst_100ms", "points", worst_tenth, 0, Wants::kNothing);
  add("jain", "", JainIndex(parts), 0.99, Wants::kAtLeast);
  add("busy", "percent", scene.SeriesOfAll().Share(period) * 100, kBusyPercent, Wants::kAtLeast);
}

}  // namespace warpshare::bench
