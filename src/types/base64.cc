#include "types/base64.h"

#include <cstdint>
#include <initializer_list>

namespace warpshare {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Three bytes at `at`; those past the end are 0.
uint32_t ThreeBytes(std::string_view bytes, size_t at) {
  uint32_t bits = 0;
  for (size_t i = at; i < at + 3; ++i)
    bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
  return bits;
}

// The digits without spaces and padding; none when the padding is wrong.
std::optional<std::string> Digits(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != ' ' && c != '\n' && c != '\r') digits.push_back(c);
  if (digits.size() % 4 != 0) return std::nullopt;
  for (int i = 0; i < 2 && digits.ends_with('='); ++i) digits.pop_back();
  return digits;
}

}  // namespace

std::string ToBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const uint32_t bits = ThreeBytes(bytes, at);
    for (const int shift : {18, 12, 6, 0}) text.push_back(kDigits[bits >> shift & 63]);
  }
  for (size_t i = 0; i < (3 - bytes.size() % 3) % 3; ++i) text[text.size() - 1 - i] = '=';
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  const auto digits = Digits(text);
  if (!digits) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits->size() / 4 * 3);
  uint32_t bits = 0;
  int held = 0;
  for (const char c : *digits) {
    const size_t value = kDigits.find(c);
    if (value == kDigits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>(bits >> held & 0xff));
    bits &= (1U << held) - 1;
  }
  if (bits != 0) return std::nullopt;  // another text would give the same bytes
  return bytes;
}

}  // namespace warpshare
