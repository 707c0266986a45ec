#include "platform/json/writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace warpshare::json {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// The length of the character that begins here; 0 when its bytes are not UTF-8 (overlong forms and
// halves of surrogate pairs are not).
size_t CharacterLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    if (!follows(1) || !follows(2)) return 0;
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xF0 && first < 0xF5) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool too_high = first == 0xF4 && byte(1) >= 0x90;
    return overlong || too_high ? 0 : 4;
  }
  return 0;
}

void AppendEscape(std::string& out, unsigned char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  out += "\\u00";
  out += kHex[c >> 4];
  out += kHex[c & 15];
}

bool IsPlain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  while (true) {
    // Nearly all text is plain, and goes over in one piece.
    const auto plain = std::find_if_not(text.begin(), text.end(), &IsPlain);
    out.append(text.begin(), plain);
    text.remove_prefix(static_cast<size_t>(plain - text.begin()));
    if (text.empty()) break;
    const size_t length = CharacterLength(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      out += kReplacement;
    } else if (first < 0x20 || first == '"' || first == '\\' || first == 0x7f) {
      AppendEscape(out, first);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

}  // namespace

std::string Quoted(std::string_view text) {
  std::string out;
  AppendQuoted(out, text);
  return out;
}

Writer& Writer::Begin(char bracket) {
  BeforeValue();
  text_ += bracket;
  comma_ = false;
  return *this;
}

Writer& Writer::End(char bracket) {
  text_ += bracket;
  comma_ = true;
  return *this;
}

void Writer::BeforeValue() {
  if (comma_) text_ += ',';
  comma_ = true;
}

Writer& Writer::Key(std::string_view name) {
  BeforeValue();
  AppendQuoted(text_, name);
  text_ += ':';
  comma_ = false;
  return *this;
}

Writer& Writer::String(std::string_view value) {
  BeforeValue();
  AppendQuoted(text_, value);
  return *this;
}

Writer& Writer::Integer(int64_t value) { return Raw(std::to_string(value)); }

Writer& Writer::Number(double value) {
  if (!std::isfinite(value)) return Null();
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value);
  return Raw({digits, static_cast<size_t>(end.ptr - digits)});
}

Writer& Writer::Boolean(bool value) { return Raw(value ? "true" : "false"); }
Writer& Writer::Null() { return Raw("null"); }

Writer& Writer::Raw(std::string_view json) {
  BeforeValue();
  text_ += json;
  return *this;
}

std::string Writer::Take() {
  comma_ = false;
  return std::exchange(text_, {});
}

}  // namespace warpshare::json
