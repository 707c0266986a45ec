// When somebody had the card: pieces of busy time, and what can be asked of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpshare::bench {

inline constexpr uint64_t kMs = 1'000'000;
inline constexpr uint64_t kSecond = 1'000'000'000;

struct Period {
  uint64_t from_ns;
  uint64_t to_ns;
  double Seconds() const { return static_cast<double>(to_ns - from_ns) / kSecond; }
};

// `busy_ns` is less than the length where many short pieces are known only as a sum.
struct BusyPiece {
  uint64_t from_ns;
  uint64_t to_ns;
  uint64_t busy_ns;
};

class BusySeries {
 public:
  BusySeries() = default;
  explicit BusySeries(std::vector<BusyPiece> pieces) : pieces_(std::move(pieces)) {}

  void Add(const BusySeries& other);
  const std::vector<BusyPiece>& pieces() const { return pieces_; }

  double BusyNs(const Period& period) const;
  double Share(const Period& period) const;  // 0 to 1
  // Busy time from the period's start to each step of it; the first is 0.
  std::vector<double> Cumulative(const Period& period, uint64_t step_ns) const;

 private:
  std::vector<BusyPiece> pieces_;
};

}  // namespace warpshare::bench
