// A log for tests to look into.
#pragma once

#include <string>
#include <string_view>

#include "platform/log_file/log_file.h"

namespace warpshare::webhook {

struct KeptLog final : platform::Log {
  void Line(std::string_view line) override { text.append(line) += '\n'; }
  bool Says(std::string_view words) const { return text.find(words) != text.npos; }

  std::string text;
};

}  // namespace warpshare::webhook
