// What several rows judge in the same way.
#pragma once

#include <string>
#include <vector>

#include "bench/share/rows/rows.h"

namespace warpshare::bench {

inline constexpr uint64_t kLongWindowNs = kSecond;
inline constexpr uint64_t kShortWindowNs = 100 * kMs;
inline constexpr double kLongPoints = 1;
inline constexpr double kShortPoints = 3;
inline constexpr double kBusyPercent = 97;
inline constexpr double kCalmPart =
    0.02;  // of a window in which threads waited or timers were late

using Words = std::vector<std::string>;

// Adds the figure, in progress on standard error as well.
void Add(const Bench& bench, const Scene& scene, const Figure& figure);

// Every tenant of the scene against its share, from the first second on: the worst of all, the
// index of Jain, and the card's busy time. Only shown if the row is the floor, which promises none.
void JudgeShares(const Bench& bench, const Scene& scene, const std::string& row,
                 const std::string& which, const std::vector<double>& shares);

// The worst window of a tenant, and for the figure's detail what it had there (`had_percent`), what
// its threads and the others' waited for a processor in it (`waited_ms`), how late timers were in
// it (`late_ms`), and the worst of those windows in which these two are less than kCalmPart of it
// (`calm_points`, `calm_percent` of all windows).
struct Worst {
  double points = 0;
  std::string detail;
};
Worst WorstOf(const Scene& scene, const BusySeries& series, const Period& period,
              uint64_t window_ns, double share, bool over_only = false);

// `"name": value, ` for a figure's detail.
std::string Detail(const std::string& name, double value);

}  // namespace warpshare::bench
