// Two ways of doing the same thing, timed in turn, so that whatever else the machine does falls on
// both.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace warpshare::bench {

struct Timing {
  double bare_ns;  // a call, in the median batch
  double hooked_ns;
};

inline double Median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

template <typename Batch>
double NanosecondsOf(Batch batch) {
  const auto start = std::chrono::steady_clock::now();
  batch();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// `calls` in a batch; `between` runs outside the measured time.
template <typename Bare, typename Hooked, typename Between>
Timing Alternate(int rounds, int calls, Bare bare, Hooked hooked, Between between) {
  std::vector<double> bare_ns;
  std::vector<double> hooked_ns;
  for (int round = 0; round < rounds; ++round) {
    // Who is first alternates too: the second finds warmer caches.
    for (const bool is_hooked : {round % 2 == 0, round % 2 != 0}) {
      const double ns = NanosecondsOf([&] {
        for (int call = 0; call < calls; ++call) is_hooked ? hooked() : bare();
      });
      (is_hooked ? hooked_ns : bare_ns).push_back(ns / calls);
      between();
    }
  }
  return {.bare_ns = Median(bare_ns), .hooked_ns = Median(hooked_ns)};
}

}  // namespace warpshare::bench
