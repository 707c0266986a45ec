// Judgements of busy time against a promised share.
#pragma once

#include <vector>

#include "bench/share/truth/busy_series.h"

namespace warpshare::bench {

// Percentage points, the worst of all windows of a length that lie in the period.
struct WindowError {
  double over_points = 0;
  double under_points = 0;
  uint64_t over_at_ns = 0;  // where the worst begin, from the period's start
  uint64_t under_at_ns = 0;
  double Worst() const { return over_points > under_points ? over_points : under_points; }
};

WindowError WorstWindow(const BusySeries& series, const Period& period, uint64_t window_ns,
                        double share);

// The same, of those windows in which `waits` are less than this part of the window.
struct CalmError {
  WindowError worst;
  double windows_percent = 0;  // how many of all those are
};
CalmError WorstCalmWindow(const BusySeries& series, const BusySeries& waits, double most_waits,
                          const Period& period, uint64_t window_ns, double share);

// Of what each got of its part: 1 is equal, 1/n is one got all.
double JainIndex(const std::vector<double>& parts);

// How late the service is that begins at the period's start, in milliseconds: the smallest d such
// that up to any time t of the period, the busy time is at least share * (t - d). What is asked of
// somebody who has work all the time.
double ServiceLagMs(const BusySeries& series, const Period& period, double share);

// When it has had its share of the time since the period's start, for the first time, in
// milliseconds; the whole period's length if never.
double CaughtUpAfterMs(const BusySeries& series, const Period& period, double share);

struct Promise {
  const BusySeries* series;
  double share;
};

// Milliseconds from the period's start after which no window is off by more than `points`; the
// whole period's length if it never settles.
double SettledAfterMs(const std::vector<Promise>& promises, const Period& period,
                      uint64_t window_ns, double points);

}  // namespace warpshare::bench
