// An amount of memory. Units are powers of two and written so: KiB, MiB, GiB, TiB, B.
//
// "GB" is refused: some programs mean 1000^3 by it and others 1024^3, and a limit that is exact to
// the byte must not depend on a guess. A number without a unit is refused for the same reason.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpshare {

class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(uint64_t count) : count_(count) {}

  constexpr uint64_t count() const { return count_; }
  constexpr auto operator<=>(const Bytes&) const = default;

 private:
  uint64_t count_ = 0;
};

inline namespace literals {
constexpr Bytes operator""_B(unsigned long long count) { return Bytes(count); }
constexpr Bytes operator""_MiB(unsigned long long count) { return Bytes(count << 20); }
constexpr Bytes operator""_GiB(unsigned long long count) { return Bytes(count << 30); }
}  // namespace literals

// "4GiB", "4G", "512MiB", "1.5GiB", "100B"; a fraction is rounded down to a whole byte.
std::optional<Bytes> ParseBytes(std::string_view text);

// In the largest unit that divides it: "4GiB", "1536MiB", "4097B". ParseBytes reads it back.
std::string Exact(Bytes bytes);

// For columns: "1.99GiB". Rounded down, so that a full limit and one byte less look different.
std::string Rounded(Bytes bytes);

}  // namespace warpshare
