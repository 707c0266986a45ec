#include "types/decimal.h"

namespace warpshare {

namespace {

// value * 10 + digit; none above `most`.
std::optional<uint64_t> Append(uint64_t value, unsigned digit, uint64_t most) {
  if (digit > most || value > (most - digit) / 10) return std::nullopt;
  return value * 10 + digit;
}

}  // namespace

std::optional<uint64_t> ParseDecimal(std::string_view text, unsigned places, uint64_t most) {
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point == text.npos ? "" : text.substr(point + 1);
  if (whole.empty() || part.size() > places || (point != text.npos && part.empty()))
    return std::nullopt;
  std::string digits = std::string(whole) + std::string(part);
  digits.append(places - part.size(), '0');
  uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto longer = Append(value, static_cast<unsigned>(c - '0'), most);
    if (!longer) return std::nullopt;
    value = *longer;
  }
  return value;
}

std::string DecimalText(uint64_t value, unsigned places) {
  std::string digits = std::to_string(value);
  if (places == 0) return digits;
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

}  // namespace warpshare
