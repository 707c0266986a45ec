// Writes JSON piece by piece into one text. The caller keeps the order that JSON wants (a key
// before each member's value, an End for each Begin); commas are the writer's. Bytes that are not
// UTF-8 become U+FFFD, so that a text from anywhere may be passed on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace warpshare::json {

class Writer {
 public:
  Writer& BeginObject() { return Begin('{'); }
  Writer& EndObject() { return End('}'); }
  Writer& BeginArray() { return Begin('['); }
  Writer& EndArray() { return End(']'); }
  Writer& Key(std::string_view name);

  Writer& String(std::string_view value);
  Writer& Integer(int64_t value);
  Writer& Number(double value);  // null for what is not a number: JSON has no word for it
  Writer& Boolean(bool value);
  Writer& Null();
  Writer& Raw(std::string_view json);  // a value that is JSON already

  // A member in one call.
  Writer& Member(std::string_view name, std::string_view value) { return Key(name).String(value); }
  Writer& Member(std::string_view name, const char* value) { return Key(name).String(value); }
  Writer& Member(std::string_view name, int64_t value) { return Key(name).Integer(value); }
  Writer& Member(std::string_view name, int value) { return Key(name).Integer(value); }
  Writer& Member(std::string_view name, bool value) { return Key(name).Boolean(value); }

  // What was written; the writer is empty again.
  std::string Take();

 private:
  Writer& Begin(char bracket);
  Writer& End(char bracket);
  void BeforeValue();

  std::string text_;
  bool comma_ = false;  // a value stands before the next one
};

// With its quotation marks.
std::string Quoted(std::string_view text);

}  // namespace warpshare::json
