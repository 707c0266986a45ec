#include "bench/share/truth/windows.h"

#include <algorithm>
#include <cmath>

namespace warpshare::bench {

namespace {

// A window begins at every one of these.
constexpr uint64_t kStepNs = 2 * kMs;
constexpr uint64_t kLagStepNs = kMs / 20;

double Points(double part) { return part * 100; }

// Of each window, what was busy: 0 to 1.
std::vector<double> Parts(const BusySeries& series, const Period& period, uint64_t window_ns) {
  const std::vector<double> sums = series.Cumulative(period, kStepNs);
  const size_t window = window_ns / kStepNs;
  std::vector<double> parts;
  for (size_t i = 0; i + window < sums.size(); ++i)
    parts.push_back((sums[i + window] - sums[i]) / static_cast<double>(window_ns));
  return parts;
}

void Meet(WindowError& worst, size_t step, double over) {
  if (Points(over) > worst.over_points) {
    worst.over_points = Points(over);
    worst.over_at_ns = step * kStepNs;
  }
  if (Points(-over) > worst.under_points) {
    worst.under_points = Points(-over);
    worst.under_at_ns = step * kStepNs;
  }
}

}  // namespace

WindowError WorstWindow(const BusySeries& series, const Period& period, uint64_t window_ns,
                        double share) {
  WindowError worst;
  const std::vector<double> parts = Parts(series, period, window_ns);
  for (size_t i = 0; i < parts.size(); ++i) Meet(worst, i, parts[i] - share);
  return worst;
}

CalmError WorstCalmWindow(const BusySeries& series, const BusySeries& waits, double most_waits,
                          const Period& period, uint64_t window_ns, double share) {
  CalmError calm;
  const std::vector<double> parts = Parts(series, period, window_ns);
  const std::vector<double> waited = Parts(waits, period, window_ns);
  size_t count = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (waited[i] >= most_waits) continue;
    Meet(calm.worst, i, parts[i] - share);
    ++count;
  }
  if (count != 0)
    calm.windows_percent = Points(static_cast<double>(count) / static_cast<double>(parts.size()));
  return calm;
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
    const std::vector<double> parts = Parts(*promise.series, period, window_ns);
    for (size_t i = settled; i < parts.size(); ++i)
      if (std::abs(Points(parts[i] - promise.share)) > points) settled = i + 1;
  }
  const size_t last = (period.to_ns - period.from_ns) / kStepNs - window;
  return settled >= last ? period.Seconds() * 1e3 : static_cast<double>(settled * kStepNs) / kMs;
}

}  // namespace warpshare::bench
