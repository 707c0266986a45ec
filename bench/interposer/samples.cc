#include "bench/interposer/samples.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace warpshare::bench {

namespace {

double AtRank(std::vector<double>& values, double rank) {
  const double last = static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<long>(std::clamp(rank, 0.0, last));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double Median(std::vector<double> values) {
  return AtRank(values, static_cast<double>(values.size() / 2));
}

}  // namespace

void Samples::Add(double bare_ns, double hooked_ns) {
  bare_ns_.push_back(bare_ns);
  hooked_ns_.push_back(hooked_ns);
}

Samples Samples::QuietestQuarter() const {
  std::vector<size_t> order(rounds());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [this](size_t a, size_t b) {
    return bare_ns_[a] + hooked_ns_[a] < bare_ns_[b] + hooked_ns_[b];
  });
  order.resize((order.size() + 3) / 4);
  Samples quiet;
  for (const size_t round : order) quiet.Add(bare_ns_[round], hooked_ns_[round]);
  return quiet;
}

Timing Samples::Summary() const {
  std::vector<double> added(rounds());
  std::transform(hooked_ns_.begin(), hooked_ns_.end(), bare_ns_.begin(), added.begin(),
                 std::minus<>());
  // The median lies between these ranks with 95 %, whatever the distribution (binomial, 1/2).
  const double middle = static_cast<double>(rounds()) / 2;
  const double spread = 1.96 * std::sqrt(static_cast<double>(rounds())) / 2;
  const double low = AtRank(added, middle - spread);
  const double high = AtRank(added, middle + spread);
  return {.bare_ns = Median(bare_ns_),
          .hooked_ns = Median(hooked_ns_),
          .added_ns = Median(added),
          .error_ns = (high - low) / 2,
          .rounds = rounds()};
}

}  // namespace warpshare::bench
