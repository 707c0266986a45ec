#include "simgpu/world/scenario/quantity.h"

#include <charconv>
#include <span>

namespace simgpu::world {
namespace {

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr uint64_t kBinary = 1024;
constexpr Unit kByteUnits[] = {{"B", 1},
                               {"KiB", kBinary},
                               {"MiB", kBinary* kBinary},
                               {"GiB", kBinary* kBinary* kBinary},
                               {"TiB", kBinary* kBinary* kBinary* kBinary},
                               {"KB", 1'000},
                               {"MB", 1'000'000},
                               {"GB", 1'000'000'000},
                               {"TB", 1'000'000'000'000}};
constexpr Unit kTimeUnits[] = {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};

// Digits, at most nine after a point, then a unit; exact, as long as the result is a whole number
// in range.
bool ParseWithUnit(std::string_view text, std::span<const Unit> units, uint64_t* value) {
  size_t i = 0;
  unsigned __int128 number = 0;
  unsigned __int128 divisor = 1;
  bool fraction = false;
  for (; i < text.size() && ((text[i] >= '0' && text[i] <= '9') || (text[i] == '.' && !fraction));
       ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    number = number * 10 + static_cast<unsigned>(text[i] - '0');
    if (fraction) divisor *= 10;
    if (number > UINT64_MAX || divisor > 1'000'000'000) return false;
  }
  if (i == 0 || (i == 1 && fraction)) return false;
  const std::string_view unit = Trim(text.substr(i));
  for (const Unit& known : units) {
    if (unit != known.name) continue;
    const unsigned __int128 product = number * known.factor;
    if (product % divisor != 0 || product / divisor > UINT64_MAX) return false;
    *value = static_cast<uint64_t>(product / divisor);
    return true;
  }
  return false;
}

std::string PrintWithUnit(uint64_t value, std::span<const Unit> units) {
  const Unit* best = &units[0];
  for (const Unit& unit : units) {
    if (value != 0 && value % unit.factor == 0 && unit.factor > best->factor) best = &unit;
  }
  return std::to_string(value / best->factor) + std::string(best->name);
}

bool Refuse(std::string* error, std::string_view text, const char* examples) {
  *error = "\"" + std::string(text) + "\" is not " + examples;
  return false;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

bool ParseCount(std::string_view text, uint64_t* value, std::string* error) {
  const bool hex = text.substr(0, 2) == "0x";
  const std::string_view digits = hex ? text.substr(2) : text;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), *value, hex ? 16 : 10);
  if (failure == std::errc() && end == digits.data() + digits.size()) return true;
  return Refuse(error, text, "a whole number, such as 8");
}

bool ParseBytes(std::string_view text, uint64_t* bytes, std::string* error) {
  if (ParseWithUnit(text, kByteUnits, bytes)) return true;
  return Refuse(error, text, "an amount of memory, such as 40GiB, 512MiB or 1000000B");
}

bool ParseDuration(std::string_view text, uint64_t* ns, std::string* error) {
  if (ParseWithUnit(text, kTimeUnits, ns)) return true;
  return Refuse(error, text, "a time, such as 2ms, 50us, 800ns or 1.5s");
}

bool ParseRate(std::string_view text, uint64_t* bytes_per_second, std::string* error) {
  if (text.size() > 2 && text.substr(text.size() - 2) == "/s" &&
      ParseWithUnit(text.substr(0, text.size() - 2), kByteUnits, bytes_per_second) &&
      *bytes_per_second > 0) {
    return true;
  }
  return Refuse(error, text, "a bandwidth, such as 25GB/s or 900MB/s");
}

std::string PrintBytes(uint64_t bytes) { return PrintWithUnit(bytes, std::span(kByteUnits, 5)); }
std::string PrintDuration(uint64_t ns) { return PrintWithUnit(ns, kTimeUnits); }
std::string PrintRate(uint64_t bytes_per_second) {
  return PrintWithUnit(bytes_per_second, kByteUnits) + "/s";
}

}  // namespace simgpu::world
