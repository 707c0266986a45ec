#include "policy/place/shortfall.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace warpshare::place {

namespace {

constexpr int kLeast = -38;  // below it is 0, as near as a double can tell
constexpr int kMost = 8;     // above it is z
constexpr int kPerUnit = 32;

using Table = std::array<double, (kMost - kLeast) * kPerUnit + 2>;

double Exactly(double z) {
  const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  const double shortfall = z * below + density;
  // Far out the difference of the two is lost to rounding; the leading term is not.
  return z < -5 ? density / (z * z) : shortfall;
}

Table MakeTable() {
  Table table = {};
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = Exactly(kLeast + static_cast<double>(i) / kPerUnit);
  return table;
}

}  // namespace

double Shortfall(double z) {
  static const Table table = MakeTable();
  if (z <= kLeast) return 0;
  if (z >= kMost) return z;
  const double place = (z - kLeast) * kPerUnit;
  const auto index = static_cast<size_t>(place);
  const double part = place - static_cast<double>(index);
  return table[index] + part * (table[index + 1] - table[index]);
}

}  // namespace warpshare::place
