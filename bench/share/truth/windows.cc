#include "bench/share/truth/windows.h"

#include <algorithm>
#include <cmath>

namespace warpshare::bench {

namespace {

// A window begins at every one of these.
constexpr uint64_t kStepNs = 2 * kMs;
constexpr uint64_t kLagStepNs = kMs / 20;

double Points(double part) { return part * 100; }

}  // namespace

WindowError WorstWindow(const BusySeries& series, const Period& period, uint64_t window_ns,
                        double share) {
  const std::vector<double> sums = series.Cumulative(period, kStepNs);
  const size_t window = window_ns / kStepNs;
  WindowError worst;
  for (size_t i = 0; i + window < sums.size(); ++i) {
    const double part = (sums[i + window] - sums[i]) / static_cast<double>(window_ns);
    const double over = Points(part - share);
    if (over > worst.over_points) {
      worst.over_points = over;
      worst.over_at_ns = i * kStepNs;
    }
    if (-over > worst.under_points) {
      worst.under_points = -over;
      worst.under_at_ns = i * kStepNs;
    }
  }
  return worst;
}

double JainIndex(const std::vector<double>& parts) {
  double sum = 0;
  double squares = 0;
  for (const double part : parts) {
    sum += part;
    squares += part * part;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(parts.size()) * squares) : 0;
}

double ServiceLagMs(const BusySeries& series, const Period& period, double share) {
  const std::vector<double> sums = series.Cumulative(period, kLagStepNs);
  double lag_ns = 0;
  for (size_t i = 0; i < sums.size(); ++i)
    lag_ns = std::max(lag_ns, static_cast<double>(i * kLagStepNs) - sums[i] / share);
  return lag_ns / kMs;
}

double CaughtUpAfterMs(const BusySeries& series, const Period& period, double share) {
  const std::vector<double> sums = series.Cumulative(period, kLagStepNs);
  size_t i = 1;
  while (i < sums.size() && sums[i] < share * static_cast<double>(i * kLagStepNs)) ++i;
  return static_cast<double>(i * kLagStepNs) / kMs;
}

double SettledAfterMs(const std::vector<Promise>& promises, const Period& period,
                      uint64_t window_ns, double points) {
  const size_t window = window_ns / kStepNs;
  size_t settled = 0;
  for (const Promise& promise : promises) {
    const std::vector<double> sums = promise.series->Cumulative(period, kStepNs);
    for (size_t i = settled; i + window < sums.size(); ++i) {
      const double part = (sums[i + window] - sums[i]) / static_cast<double>(window_ns);
      if (std::abs(Points(part - promise.share)) > points) settled = i + 1;
    }
  }
  const size_t last = (period.to_ns - period.from_ns) / kStepNs - window;
  return settled >= last ? period.Seconds() * 1e3 : static_cast<double>(settled * kStepNs) / kMs;
}

}  // namespace warpshare::bench
