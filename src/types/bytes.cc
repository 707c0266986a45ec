#include "types/bytes.h"

#include <array>
#include <charconv>

namespace warpshare {

namespace {

struct Unit {
  std::string_view name;
  std::string_view short_name;
  int shift;
};

constexpr std::array<Unit, 5> kUnits = {{
    {"TiB", "T", 40},
    {"GiB", "G", 30},
    {"MiB", "M", 20},
    {"KiB", "K", 10},
    {"B", "B", 0},
}};

// More digits than this after the point cannot change a byte of a TiB.
constexpr size_t kMaxFractionDigits = 12;

const Unit* FindUnit(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (name == unit.name || name == unit.short_name) return &unit;
  return nullptr;
}

std::optional<uint64_t> ParseDigits(std::string_view digits) {
  uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Bytes> ParseBytes(std::string_view text) {
  const size_t number_length = text.find_first_not_of("0123456789.");
  if (number_length == 0 || number_length == std::string_view::npos) return std::nullopt;
  const Unit* unit = FindUnit(text.substr(number_length));
  if (unit == nullptr) return std::nullopt;

  const std::string_view number = text.substr(0, number_length);
  const size_t point = number.find('.');
  const auto whole = ParseDigits(number.substr(0, point));
  if (!whole) return std::nullopt;
  unsigned __int128 bytes = static_cast<unsigned __int128>(*whole) << unit->shift;
  if (point != std::string_view::npos) {
    const std::string_view digits = number.substr(point + 1);
    const auto fraction = ParseDigits(digits);
    if (!fraction || digits.size() > kMaxFractionDigits) return std::nullopt;
    unsigned __int128 scaled = static_cast<unsigned __int128>(*fraction) << unit->shift;
    for (size_t i = 0; i < digits.size(); ++i) scaled /= 10;
    bytes += scaled;
  }
  if (bytes > UINT64_MAX) return std::nullopt;
  return Bytes(static_cast<uint64_t>(bytes));
}

std::string Exact(Bytes bytes) {
  for (const Unit& unit : kUnits) {
    const uint64_t whole = bytes.count() >> unit.shift;
    if (whole != 0 && whole << unit.shift == bytes.count())
      return std::to_string(whole).append(unit.name);
  }
  return "0B";
}

std::string Rounded(Bytes bytes) {
  for (const Unit& unit : kUnits) {
    const uint64_t whole = bytes.count() >> unit.shift;
    if (whole == 0 || unit.shift == 0) continue;
    const uint64_t rest = bytes.count() - (whole << unit.shift);
    const uint64_t hundredths = (rest >> (unit.shift - 10)) * 100 >> 10;
    const std::string digits = std::to_string(100 + hundredths).substr(1);
    return std::to_string(whole).append(".").append(digits).append(unit.name);
  }
  return std::to_string(bytes.count()).append("B");
}

}  // namespace warpshare
