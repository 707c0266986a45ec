// Who this process is, for others to show.
#pragma once

#include <cstdint>
#include <string>

namespace simgpu::world {

struct Identity {
  int32_t pid = 0;
  uint64_t pid_namespace = 0;
  uint64_t start_time = 0;
  uint32_t uid = 0;
  std::string name;
};

Identity IdentityOfSelf();

}  // namespace simgpu::world
