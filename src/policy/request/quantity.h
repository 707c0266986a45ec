// Kubernetes quantities: "4", "500m", "1.5Gi", "2e3". A number, and a power of two (Ki..Ei), of ten
// (n, u, m, k..E), or an exponent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpshare::request {

// The quantity in whole units ("1Gi" of memory in bytes) or in thousandths ("500m" of a processor),
// rounded up as the API server does. None for what is no quantity, is negative, has more than 18
// digits, or does not fit.
std::optional<uint64_t> QuantityInUnits(std::string_view text);
std::optional<uint64_t> QuantityInMilli(std::string_view text);

}  // namespace warpshare::request
