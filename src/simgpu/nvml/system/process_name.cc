#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "simgpu/nvml/processes/pids.h"
#include "simgpu/nvml/session/answer.h"
#include "simgpu/nvml/system/api.h"

using simgpu::nvml::Ready;
using simgpu::world::ProcessUse;
using simgpu::world::World;

namespace {

// The first word of the command line: how the program was called.
std::string CommandOf(unsigned pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::string name;
  std::getline(file, name, '\0');
  return name;
}

// What the process told the world of itself: all there is to know when /proc is not to be read.
std::string ParticipantName(World& world, unsigned pid) {
  for (const ProcessUse& process : world.Processes()) {
    if (simgpu::nvml::VisiblePid(process) == pid) return process.name;
  }
  return {};
}

}  // namespace

nvmlReturn_t nvmlSystemGetProcessName(unsigned pid, char* name, unsigned length) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(name != nullptr && length > 0, NVML_ERROR_INVALID_ARGUMENT);
  std::string found = CommandOf(pid);
  if (found.empty()) found = ParticipantName(*world, pid);
  SIMGPU_REQUIRE(!found.empty(), NVML_ERROR_NOT_FOUND);
  std::snprintf(name, length, "%s", found.c_str());
  return NVML_SUCCESS;
}
