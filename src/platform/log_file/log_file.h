// The log of a program without a terminal: lines with a time, in a file that does not grow for
// ever.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::platform {

class Log {
 public:
  virtual ~Log() = default;

  // One line, without its end. Not being able to write it is no error of whoever logs.
  virtual void Line(std::string_view text) = 0;
};

class LogFile final : public Log {
 public:
  // Standard error, which somebody else looks after.
  LogFile() = default;

  // Appends. What is more than kMostBytes moves to PATH.1, whose place it takes.
  static Result<LogFile> Open(const std::string& path);

  void Line(std::string_view text) override;

  static constexpr int64_t kMostBytes = 256 << 10;

 private:
  LogFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  void BeginNew();

  std::string path_;
  Descriptor file_;
};

}  // namespace warpshare::platform
