#pragma once

#include <sys/types.h>

#include <fstream>
#include <string>

namespace warpshare::testing {

// The kernel has put a thread of this process to sleep. 0 is none.
inline bool IsAsleep(pid_t thread) {
  if (thread == 0) return false;
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(')');
  return name_end != std::string::npos && line.compare(name_end, 4, ") S ") == 0;
}

}  // namespace warpshare::testing
