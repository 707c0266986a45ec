// The identity of a card: 16 bytes, as the driver gives them, and "GPU-8-4-4-4-12" as it prints
// them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpshare {

class GpuUuid {
 public:
  constexpr GpuUuid() = default;
  constexpr explicit GpuUuid(const std::array<uint8_t, 16>& bytes) : bytes_(bytes) {}

  constexpr const std::array<uint8_t, 16>& bytes() const { return bytes_; }
  constexpr auto operator<=>(const GpuUuid&) const = default;

  // "GPU-5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d11"
  std::string Text() const;

  // Enough to tell cards apart in a column: "GPU-5d2bf5a3".
  std::string ShortText() const;

  // CUDA takes a card by the beginning of its uuid; "GPU-" must be there. Case is ignored.
  bool StartsWith(std::string_view prefix) const;

 private:
  std::array<uint8_t, 16> bytes_{};
};

std::optional<GpuUuid> ParseGpuUuid(std::string_view text);

}  // namespace warpshare
