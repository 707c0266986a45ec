#include "simgpu/world/memory/holds.h"

namespace simgpu::world {

void Holds::Add(const Extent& extent, bool freeable) {
  HeldExtent& held = by_first_block_[{extent.card, extent.block}];
  held.extent = extent;
  held.freeable = held.freeable || freeable;
  ++held.count;
}

std::optional<int> Holds::Remove(const Extent& extent) {
  const auto found = by_first_block_.find({extent.card, extent.block});
  if (found == by_first_block_.end()) return std::nullopt;
  if (found->second.extent.generation != extent.generation) return std::nullopt;
  const int left = --found->second.count;
  if (left == 0) by_first_block_.erase(found);
  return left;
}

void Holds::ForbidFree(const Extent& extent) {
  const auto found = by_first_block_.find({extent.card, extent.block});
  if (found != by_first_block_.end()) found->second.freeable = false;
}

const HeldExtent* Holds::Containing(int card, uint64_t block) const {
  auto found = by_first_block_.upper_bound({card, block});
  if (found == by_first_block_.begin()) return nullptr;
  --found;
  const Extent& extent = found->second.extent;
  const bool inside =
      found->first.first == card && block < extent.block + extent.span / kBlockBytes;
  return inside ? &found->second : nullptr;
}

}  // namespace simgpu::world
