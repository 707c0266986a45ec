// The extents this process holds, and how often: the shared record has one bit per process, the
// count is kept here. Not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "simgpu/world/memory.h"

namespace simgpu::world {

struct HeldExtent {
  Extent extent;
  int count = 0;
  bool freeable = false;  // made by Allocate: Free may end it
};

class Holds {
 public:
  void Add(const Extent& extent, bool freeable);
  // Null: this process does not hold that extent. Otherwise the holds left.
  std::optional<int> Remove(const Extent& extent);
  void ForbidFree(const Extent& extent);
  // The held extent that has this block.
  const HeldExtent* Containing(int card, uint64_t block) const;

 private:
  std::map<std::pair<int, uint64_t>, HeldExtent> by_first_block_;
};

}  // namespace simgpu::world
