#include "types/duration.h"

#include <cstdint>
#include <iterator>

#include "types/decimal.h"

namespace warpshare {

namespace {

using std::chrono::nanoseconds;

struct Unit {
  std::string_view name;
  unsigned places;  // of a nanosecond, behind the point
  uint64_t ns;
};

// The greatest first; and "s" is the end of all the others, so it is tried last when reading.
constexpr Unit kUnits[] = {
    {"s", 9, 1'000'000'000}, {"ms", 6, 1'000'000}, {"us", 3, 1'000}, {"ns", 0, 1}};

const Unit* UnitOf(std::string_view text) {
  for (auto unit = std::rbegin(kUnits); unit != std::rend(kUnits); ++unit)
    if (text.ends_with(unit->name)) return &*unit;
  return nullptr;
}

const Unit& UnitFor(uint64_t ns) {
  for (const Unit& unit : kUnits)
    if (ns >= unit.ns) return unit;
  return kUnits[std::size(kUnits) - 1];
}

uint64_t Count(nanoseconds duration) {
  return duration.count() < 0 ? 0 : static_cast<uint64_t>(duration.count());
}

}  // namespace

std::optional<nanoseconds> ParseDuration(std::string_view text) {
  if (text == "0") return nanoseconds(0);
  const Unit* unit = UnitOf(text);
  if (unit == nullptr) return std::nullopt;
  text.remove_suffix(unit->name.size());
  const auto ns = ParseDecimal(text, unit->places, INT64_MAX);
  if (!ns) return std::nullopt;
  return nanoseconds(static_cast<int64_t>(*ns));
}

std::string Exact(nanoseconds duration) {
  const uint64_t ns = Count(duration);
  if (ns == 0) return "0";
  const Unit& unit = UnitFor(ns);
  return DecimalText(ns, unit.places) + std::string(unit.name);
}

std::string Rounded(nanoseconds duration) {
  const uint64_t ns = Count(duration);
  if (ns == 0) return "0";
  const Unit& unit = UnitFor(ns);
  const uint64_t whole = ns / unit.ns;
  const bool has_tenth = whole < 10 && unit.places != 0;
  const uint64_t shown = has_tenth ? ns / (unit.ns / 10) : whole;
  return DecimalText(shown, has_tenth ? 1 : 0) + std::string(unit.name);
}

}  // namespace warpshare
