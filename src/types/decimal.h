// Numbers with a point in the texts of other words: "12.5%", "1.5ms".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpshare {

// The number in units of 10^-places: "12.5" with 2 places is 1250. Digits on both sides of a point,
// at most `places` behind it; none for anything else, and for what is above `most`.
std::optional<uint64_t> ParseDecimal(std::string_view text, unsigned places, uint64_t most);

// The other way round, as short as it can be: 1250 with 2 places is "12.5".
std::string DecimalText(uint64_t value, unsigned places);

}  // namespace warpshare
