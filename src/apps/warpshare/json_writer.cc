#include "apps/warpshare/json_writer.h"

namespace warpshare::app {

void JsonWriter::Separate() {
  if (text_.empty()) return;
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ':') text_ += ',';
}

void JsonWriter::Quote(std::string_view value) {
  constexpr char kHex[] = "0123456789abcdef";
  text_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      (text_ += '\\') += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      (((text_ += "\\u00") += kHex[c >> 4]) += kHex[c & 15]);
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  Separate();
  Quote(name);
  text_ += ':';
  return *this;
}

JsonWriter& JsonWriter::Text(std::string_view value) {
  Separate();
  Quote(value);
  return *this;
}

JsonWriter& JsonWriter::Number(uint64_t value) {
  Separate();
  text_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  text_ += "null";
  return *this;
}

}  // namespace warpshare::app
