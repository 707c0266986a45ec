// Writes JSON. The program builds without any library but headers, and writes, never reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpshare::app {

// Values follow keys, or each other in a list; commas are put between. Every Begin has its End.
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginList() { return Open('['); }
  JsonWriter& EndList() { return Close(']'); }
  JsonWriter& Key(std::string_view name);
  JsonWriter& Text(std::string_view value);
  JsonWriter& Number(uint64_t value);
  JsonWriter& Null();

  const std::string& text() const { return text_; }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  void Separate();
  void Quote(std::string_view value);

  std::string text_;
};

}  // namespace warpshare::app
