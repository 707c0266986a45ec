// Who takes part in a world. A participant is known by its slot and that slot's generation: pids
// are reused, and mean something else in another pid namespace; they are kept for showing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simgpu/world/engine_kind.h"
#include "simgpu/world/memory_kind.h"

namespace simgpu::world {

inline constexpr uint32_t kMaxProcesses = 512;

struct ProcessKey {
  uint32_t slot = UINT32_MAX;
  uint32_t generation = 0;
  explicit operator bool() const { return slot != UINT32_MAX; }
  friend bool operator==(const ProcessKey&, const ProcessKey&) = default;
};

struct ProcessCardUse {
  MemoryBytes memory;                   // charged to the process, by kind
  uint64_t busy_ns[kEngineKinds] = {};  // engine time it has had up to now, by EngineKind
};

struct ProcessUse {
  ProcessKey key;
  int32_t pid = 0;             // in the process's own pid namespace
  uint64_t pid_namespace = 0;  // inode of /proc/self/ns/pid
  uint64_t start_time = 0;     // clock ticks since boot, /proc/<pid>/stat field 22
  uint32_t uid = 0;
  std::string name;                   // the program's path
  std::vector<ProcessCardUse> cards;  // by card index
};

}  // namespace simgpu::world
