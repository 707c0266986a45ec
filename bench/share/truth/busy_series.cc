#include "bench/share/truth/busy_series.h"

#include <algorithm>

namespace warpshare::bench {

namespace {

// What of `piece` lies within; evenly spread over it.
double Within(const BusyPiece& piece, const Period& period) {
  const uint64_t from = std::max(piece.from_ns, period.from_ns);
  const uint64_t to = std::min(piece.to_ns, period.to_ns);
  if (from >= to) return 0;
  return static_cast<double>(piece.busy_ns) * static_cast<double>(to - from) /
         static_cast<double>(piece.to_ns - piece.from_ns);
}

}  // namespace

void BusySeries::Add(const BusySeries& other) {
  pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
}

double BusySeries::BusyNs(const Period& period) const {
  double sum = 0;
  for (const BusyPiece& piece : pieces_) sum += Within(piece, period);
  return sum;
}

double BusySeries::Share(const Period& period) const {
  return BusyNs(period) / static_cast<double>(period.to_ns - period.from_ns);
}

std::vector<double> BusySeries::Cumulative(const Period& period, uint64_t step_ns) const {
  const size_t steps = (period.to_ns - period.from_ns) / step_ns;
  std::vector<double> sums(steps + 1, 0);
  for (const BusyPiece& piece : pieces_) {
    const uint64_t from = std::max(piece.from_ns, period.from_ns);
    const uint64_t to = std::min(piece.to_ns, period.from_ns + steps * step_ns);
    for (uint64_t at = from; at < to;) {
      const size_t step = (at - period.from_ns) / step_ns;
      const Period cell = {.from_ns = at,
                           .to_ns = std::min(to, period.from_ns + (step + 1) * step_ns)};
      sums[step + 1] += Within(piece, cell);
      at = cell.to_ns;
    }
  }
  for (size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  return sums;
}

}  // namespace warpshare::bench
