// A log whose lines a test can look at.
#pragma once

#include <string>
#include <vector>

#include "platform/log_file/log_file.h"

namespace warpshare::cluster {

struct KeptLog final : platform::Log {
  void Line(std::string_view text) override { lines.emplace_back(text); }

  std::vector<std::string> lines;
};

}  // namespace warpshare::cluster
