// What a line of a log says, as words that people and programs can read: "bound pod=default/p
// cards=2". Values that hold spaces, quotes or control bytes are quoted, so that no text from
// outside makes words or lines of its own.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "result/error.h"

namespace warpshare::platform {

struct LogWord {
  LogWord(std::string_view key, std::string_view value) : key(key), value(value) {}
  LogWord(std::string_view key, const std::string& value) : key(key), value(value) {}
  LogWord(std::string_view key, const char* value) : key(key), value(value) {}
  LogWord(std::string_view key, int64_t value) : key(key), value(std::to_string(value)) {}
  LogWord(std::string_view key, uint64_t value) : key(key), value(std::to_string(value)) {}
  LogWord(std::string_view key, int value) : key(key), value(std::to_string(value)) {}
  LogWord(std::string_view key, unsigned value) : key(key), value(std::to_string(value)) {}
  LogWord(std::string_view key, const Error& error) : key(key), value(error.message) {}

  std::string_view key;
  std::string value;
};

// For Log::Line.
std::string LogText(std::string_view what, std::initializer_list<LogWord> words);

}  // namespace warpshare::platform
