// Sums of what people wrote stop at an edge instead of wrapping. An amount that stands at its edge
// no longer knows what was added to it: who takes away from such a one counts anew.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpshare::place {

// For amounts of 64 bits: half of what they hold, so that one more step needs no look.
inline constexpr int64_t kMostAmount = int64_t{1} << 62;

template <typename T>
inline constexpr T kLowEdge = std::numeric_limits<T>::min();
template <typename T>
inline constexpr T kHighEdge = std::numeric_limits<T>::max();
template <>
inline constexpr int64_t kLowEdge<int64_t> = -kMostAmount;
template <>
inline constexpr int64_t kHighEdge<int64_t> = kMostAmount;

template <typename T>
T Saturated(__int128 value) {
  return static_cast<T>(std::clamp<__int128>(value, kLowEdge<T>, kHighEdge<T>));
}

// `value` and `times` parts more.
template <typename T>
T Plus(T value, int64_t part, int times = 1) {
  return Saturated<T>(static_cast<__int128>(value) + static_cast<__int128>(part) * times);
}

template <typename T>
bool IsAtEdge(T value) {
  return value == kHighEdge<T> || (std::numeric_limits<T>::is_signed && value == kLowEdge<T>);
}

}  // namespace warpshare::place
