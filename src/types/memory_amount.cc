#include "types/memory_amount.h"

namespace warpshare {

namespace {

// Hundredths of "12", "12.5" or "12.25"; at most 100.
std::optional<uint32_t> ParsePercent(std::string_view text) {
  uint32_t hundredths = 0;
  size_t fraction_digits = 0;
  bool in_fraction = false;
  bool any_digit = false;
  for (const char c : text) {
    if (c == '.' && any_digit && !in_fraction) {
      in_fraction = true;
      any_digit = false;
      continue;
    }
    if (c < '0' || c > '9' || fraction_digits == 2) return std::nullopt;
    any_digit = true;
    fraction_digits += in_fraction ? 1 : 0;
    hundredths = hundredths * 10 + static_cast<uint32_t>(c - '0');
    if (hundredths > MemoryAmount::kWhole) return std::nullopt;
  }
  if (!any_digit) return std::nullopt;
  for (; fraction_digits < 2; ++fraction_digits) hundredths *= 10;
  if (hundredths > MemoryAmount::kWhole) return std::nullopt;
  return hundredths;
}

}  // namespace

Bytes MemoryAmount::On(Bytes capacity) const {
  if (!is_share_) return bytes_;
  const auto product = static_cast<unsigned __int128>(capacity.count()) * of_10000_;
  return Bytes(static_cast<uint64_t>(product / kWhole));
}

std::string MemoryAmount::Text() const {
  if (!is_share_) return Exact(bytes_);
  std::string text = std::to_string(of_10000_ / 100);
  if (const uint32_t rest = of_10000_ % 100; rest != 0) {
    text += '.';
    text += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
  }
  return text += '%';
}

std::optional<MemoryAmount> ParseMemoryAmount(std::string_view text) {
  if (text.ends_with('%')) {
    const auto hundredths = ParsePercent(text.substr(0, text.size() - 1));
    if (!hundredths) return std::nullopt;
    return MemoryAmount::Share(*hundredths);
  }
  const auto bytes = ParseBytes(text);
  if (!bytes) return std::nullopt;
  return MemoryAmount::Of(*bytes);
}

}  // namespace warpshare
