// A simulated world of this run.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace warpshare::bench {

// Unless the caller named one.
class World {
 public:
  World() {
    if (getenv("SIMGPU_WORLD") != nullptr) return;
    std::string name = "/dev/shm/warpshare-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) return;
    folder_ = name;
    setenv("SIMGPU_WORLD", folder_.c_str(), 1);
  }
  ~World() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

 private:
  std::string folder_;
};

}  // namespace warpshare::bench
