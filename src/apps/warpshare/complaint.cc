#include "apps/warpshare/complaint.h"

#include <cstdio>
#include <string>

namespace warpshare::app {

void Complain(std::string_view message) {
  const std::string line = "warpshare: " + std::string(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int ExitWith(const Error& error) {
  Complain(error.message);
  return error.code == Errc::kInvalid ? kUsage : kFailure;
}

int ExitUsage(std::string_view message) {
  Complain(message);
  return kUsage;
}

}  // namespace warpshare::app
