#include "types/gpu_uuid.h"

namespace warpshare {

namespace {

constexpr std::string_view kPrefix = "GPU-";
constexpr size_t kTextLength = kPrefix.size() + 36;
constexpr size_t kShortLength = kPrefix.size() + 8;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

int HexValue(char c) {
  c = Lower(c);
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Positions in the 36 characters after the prefix.
constexpr bool IsDash(size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

}  // namespace

std::string GpuUuid::Text() const {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text(kPrefix);
  for (const uint8_t byte : bytes_) {
    if (IsDash(text.size() - kPrefix.size())) text += '-';
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

std::string GpuUuid::ShortText() const { return Text().substr(0, kShortLength); }

bool GpuUuid::StartsWith(std::string_view prefix) const {
  const std::string text = Text();
  if (!prefix.starts_with(kPrefix) || prefix.size() > text.size()) return false;
  for (size_t i = kPrefix.size(); i < prefix.size(); ++i)
    if (Lower(prefix[i]) != text[i]) return false;
  return true;
}

std::optional<GpuUuid> ParseGpuUuid(std::string_view text) {
  if (text.size() != kTextLength || !text.starts_with(kPrefix)) return std::nullopt;
  std::array<uint8_t, 16> bytes{};
  size_t digits = 0;
  for (size_t position = 0; position < kTextLength - kPrefix.size(); ++position) {
    const char c = text[kPrefix.size() + position];
    if (IsDash(position)) {
      if (c != '-') return std::nullopt;
      continue;
    }
    const int value = HexValue(c);
    if (value < 0) return std::nullopt;
    uint8_t& byte = bytes[digits++ / 2];
    byte = static_cast<uint8_t>(byte << 4 | value);
  }
  return GpuUuid(bytes);
}

}  // namespace warpshare
