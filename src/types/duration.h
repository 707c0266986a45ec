// A length of time as people write it: "50ms", "1.5s", "200us".
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace warpshare {

// A number and one of ns, us, ms, s; "0" needs no unit. None for anything else: a number alone
// means different things to different programs.
std::optional<std::chrono::nanoseconds> ParseDuration(std::string_view text);

// In the greatest unit of which it has one: "1.5s", "200us", "0". ParseDuration reads it back.
std::string Exact(std::chrono::nanoseconds duration);

// The same to two or three digits, rounded down: "1.5s", "12ms".
std::string Rounded(std::chrono::nanoseconds duration);

}  // namespace warpshare
