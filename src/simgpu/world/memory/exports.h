// File descriptors that stand for an extent. Each is open on a small file in the world's directory
// that names the extent, and carries a lock of its open file description: the lock lives exactly as
// long as any copy of the descriptor, in whatever process or socket, and dies with the last. So
// "does anyone still hold it?" can be asked at any time.
#pragma once

#include <optional>
#include <string>

#include "simgpu/world/memory.h"

namespace simgpu::world {

class Exports {
 public:
  explicit Exports(std::string folder) : folder_(std::move(folder)) {}

  int Open(const ExtentName& name) const;                 // -1 and errno on failure
  static std::optional<ExtentName> Read(int descriptor);  // null: not one of ours
  bool AnyoneHolds(const ExtentName& name) const;
  void Remove(const ExtentName& name) const;

 private:
  std::string PathOf(const ExtentName& name) const;
  const std::string folder_;
};

}  // namespace simgpu::world
