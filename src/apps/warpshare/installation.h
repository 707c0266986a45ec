// Where this program's own libraries are: beside it, in a build tree and installed alike.
#pragma once

#include <string>

#include "result/result.h"

namespace warpshare::app {

struct Installation {
  std::string interposer_folder;  // lib/warpshare
  std::string simulator_folder;   // lib/simgpu
  std::string program_folder;     // bin

  static Installation Find();
};

// Whether the interposer is where it belongs; a tenant without it would have no limits.
Result<void> CheckInterposer(const Installation& installation);

}  // namespace warpshare::app
