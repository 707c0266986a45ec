#include "apps/warpshare/complaint.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
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

int WithOutput(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  const std::string reason = errno == 0 ? "" : std::string(" (") + std::strerror(errno) + ")";
  Complain("not all of the output could be written" + reason + ": see where it goes to");
  return exit_code == kSuccess ? kFailure : exit_code;
}

}  // namespace warpshare::app
