#include "platform/log_file/log_words.h"

namespace warpshare::platform {
namespace {

bool IsPlain(std::string_view value) {
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || c == '"' || c == '=' || c == '\\' || byte == 0x7f) return false;
  }
  return !value.empty();
}

// Bytes that are not ASCII are left as they are: names may be in any language.
std::string Quoted(std::string_view value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < ' ' || byte == 0x7f) {
      text += "\\x";
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
    } else {
      text += c;
    }
  }
  return text + '"';
}

}  // namespace

std::string LogText(std::string_view what, std::initializer_list<LogWord> words) {
  std::string text(what);
  for (const LogWord& word : words) {
    text += ' ';
    text += word.key;
    text += '=';
    text += IsPlain(word.value) ? word.value : Quoted(word.value);
  }
  return text;
}

}  // namespace warpshare::platform
