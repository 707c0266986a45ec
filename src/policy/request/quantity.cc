#include "policy/request/quantity.h"

#include <charconv>

namespace warpshare::request {

namespace {

constexpr uint64_t kMantissaLimit = 1'000'000'000'000'000'000;  // shifted by 60 it fits 128 bits
constexpr int kMaxExponent = 30;

struct Scale {
  int binary = 0;   // of two
  int decimal = 0;  // of ten
};

struct Suffix {
  std::string_view text;
  Scale scale;
};

constexpr Suffix kSuffixes[] = {
    {"", {}},        {"Ki", {10, 0}}, {"Mi", {20, 0}}, {"Gi", {30, 0}},
    {"Ti", {40, 0}}, {"Pi", {50, 0}}, {"Ei", {60, 0}}, {"n", {0, -9}},
    {"u", {0, -6}},  {"m", {0, -3}},  {"k", {0, 3}},   {"M", {0, 6}},
    {"G", {0, 9}},   {"T", {0, 12}},  {"P", {0, 15}},  {"E", {0, 18}},
};

std::optional<Scale> ParseSuffix(std::string_view text) {
  for (const Suffix& suffix : kSuffixes)
    if (suffix.text == text) return suffix.scale;
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  text.remove_prefix(1);
  if (text[0] == '+') text.remove_prefix(1);
  int exponent = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, exponent);
  if (error != std::errc() || stopped != end) return std::nullopt;
  if (exponent < -kMaxExponent || exponent > kMaxExponent) return std::nullopt;
  return Scale{.decimal = exponent};
}

struct Number {
  uint64_t mantissa = 0;
  int decimal = 0;    // of ten, never above 0
  size_t length = 0;  // of its text
};

std::optional<Number> ParseNumber(std::string_view text) {
  Number number;
  bool digit = false;
  bool point = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      digit = true;
      number.mantissa = number.mantissa * 10 + static_cast<uint64_t>(c - '0');
      if (number.mantissa >= kMantissaLimit) return std::nullopt;
      if (point && --number.decimal < -kMaxExponent) return std::nullopt;
    } else {
      break;
    }
    ++number.length;
  }
  if (!digit) return std::nullopt;
  return number;
}

// mantissa * 2^binary * 10^decimal, rounded up.
std::optional<uint64_t> Evaluate(uint64_t mantissa, const Scale& scale) {
  unsigned __int128 value = static_cast<unsigned __int128>(mantissa) << scale.binary;
  for (int i = 0; i < scale.decimal && value != 0; ++i) {
    value *= 10;
    if (value > UINT64_MAX) return std::nullopt;
  }
  for (int i = 0; i > scale.decimal; --i) value = (value + 9) / 10;
  if (value > UINT64_MAX) return std::nullopt;
  return static_cast<uint64_t>(value);
}

std::optional<uint64_t> Parse(std::string_view text, int thousandths) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto number = ParseNumber(text);
  if (!number) return std::nullopt;
  const auto suffix = ParseSuffix(text.substr(number->length));
  if (!suffix) return std::nullopt;
  return Evaluate(number->mantissa, {.binary = suffix->binary,
                                     .decimal = suffix->decimal + number->decimal + thousandths});
}

}  // namespace

std::optional<uint64_t> QuantityInUnits(std::string_view text) { return Parse(text, 0); }

std::optional<uint64_t> QuantityInMilli(std::string_view text) { return Parse(text, 3); }

}  // namespace warpshare::request
