#include "simgpu/nvml/session/hang.h"

#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

namespace simgpu::nvml {

void WaitWhileHanging(const world::World& world, int card_index) {
  constexpr std::chrono::milliseconds kLookEvery{5};
  const std::string path = world.directory() + "/hang" + std::to_string(card_index);
  while (access(path.c_str(), F_OK) == 0) std::this_thread::sleep_for(kLookEvery);
}

}  // namespace simgpu::nvml
