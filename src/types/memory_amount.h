// How much of a card a user asks for: so many bytes, or a share of whatever the card has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "types/bytes.h"

namespace warpshare {

class MemoryAmount {
 public:
  static constexpr uint32_t kWhole = 10'000;  // a share is kept in hundredths of a percent

  static constexpr MemoryAmount Of(Bytes bytes) { return MemoryAmount(bytes, 0, false); }
  static constexpr MemoryAmount Share(uint32_t of_10000) {
    return MemoryAmount({}, of_10000, true);
  }

  constexpr bool is_share() const { return is_share_; }

  // Bytes on a card with that capacity; a share is rounded down.
  Bytes On(Bytes capacity) const;

  // "4GiB" or "12.5%".
  std::string Text() const;

  constexpr bool operator==(const MemoryAmount&) const = default;

 private:
  constexpr MemoryAmount(Bytes bytes, uint32_t of_10000, bool is_share)
      : bytes_(bytes), of_10000_(of_10000), is_share_(is_share) {}

  Bytes bytes_;
  uint32_t of_10000_;
  bool is_share_;
};

// As ParseBytes, or a share from "0%" to "100%" with at most two digits after the point.
std::optional<MemoryAmount> ParseMemoryAmount(std::string_view text);

}  // namespace warpshare
