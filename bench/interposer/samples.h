// Two ways of doing the same thing, timed in turn. A round is two short batches of each, one right
// after the other, so that whatever else the machine does falls on both. What counts is the
// quietest quarter of the rounds, those that took least for both together, as a busy neighbour on
// the same core makes everything twice as slow: there, the median of the difference within a round,
// and how well that is known.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

namespace warpshare::bench {

struct Timing {
  double bare_ns;    // a call, in the median of the quiet rounds
  double hooked_ns;  // likewise
  double added_ns;   // median of the differences; not quite the difference of the medians
  double error_ns;   // half of the 95 % interval of that median
  size_t rounds;     // that count
};

class Samples {
 public:
  void Add(double bare_ns, double hooked_ns);
  Samples QuietestQuarter() const;
  Timing Summary() const;
  size_t rounds() const { return bare_ns_.size(); }

 private:
  std::vector<double> bare_ns_;
  std::vector<double> hooked_ns_;
};

class Stopwatch {
 public:
  double Nanoseconds() const {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline constexpr int kMinRounds = 40;
inline constexpr int kMaxRounds = 50'000;

// `batch(is_hooked)` gives the figures that it measures, in nanoseconds; for `patience_ns`.
template <size_t kFigures, typename Batch>
std::array<Timing, kFigures> Alternate(double patience_ns, Batch batch) {
  const Stopwatch whole;
  batch(false);  // what happens at first use is not the question
  batch(true);
  std::array<Samples, kFigures> samples;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (round >= kMinRounds && whole.Nanoseconds() > patience_ns) break;
    std::array<std::array<double, kFigures>, 2> sums{};
    // Each once before and once after the other: who comes later finds warmer caches, and the
    // memory that the one before it gave back.
    for (const bool is_hooked : {false, true, true, false}) {
      const std::array<double, kFigures> figures = batch(is_hooked);
      for (size_t i = 0; i < kFigures; ++i) sums[is_hooked][i] += figures[i] / 2;
    }
    for (size_t i = 0; i < kFigures; ++i) samples[i].Add(sums[false][i], sums[true][i]);
  }
  std::array<Timing, kFigures> timings;
  for (size_t i = 0; i < kFigures; ++i) timings[i] = samples[i].QuietestQuarter().Summary();
  return timings;
}

}  // namespace warpshare::bench
