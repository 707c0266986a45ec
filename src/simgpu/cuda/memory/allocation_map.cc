#include "simgpu/cuda/memory/allocation_map.h"

#include "simgpu/cuda/context/context.h"

namespace simgpu::cuda {

AllocationMap& AllocationMap::Instance() {
  static AllocationMap* const map = new AllocationMap;
  return *map;
}

bool AllocationMap::Insert(Allocation allocation) {
  const std::lock_guard lock(mutex_);
  allocation.buffer_id = next_buffer_id_;
  if (!index_.Insert(allocation)) return false;
  next_buffer_id_++;
  return true;
}

bool AllocationMap::InsertIn(Context& context, Allocation allocation) {
  const uint64_t id = context.id();
  allocation.context = context.handle();
  allocation.context_id = id;
  {
    const std::lock_guard lock(mutex_);
    allocation.buffer_id = next_buffer_id_;
    if (!index_.Insert(allocation)) return false;
    next_buffer_id_++;
    if (!contexts_.insert(id).second) return true;
  }
  context.AtDeactivation([this, id] { Reclaim(id); });
  return true;
}

std::optional<Allocation> AllocationMap::Take(uintptr_t base, Origins origins) {
  const std::lock_guard lock(mutex_);
  const Allocation* const found = index_.Find(base);
  if (found == nullptr || found->base != base || !origins.Has(found->origin)) return std::nullopt;
  Allocation taken;
  index_.Erase(base, &taken);
  return taken;
}

std::optional<Allocation> AllocationMap::Find(uintptr_t address) {
  const std::lock_guard lock(mutex_);
  const Allocation* const found = index_.Find(address);
  if (found == nullptr) return std::nullopt;
  return *found;
}

void AllocationMap::Reclaim(uint64_t context_id) {
  {
    const std::lock_guard lock(mutex_);
    contexts_.erase(context_id);
  }
  for (const Allocation& allocation :
       TakeAll([=](const Allocation& it) { return it.context_id == context_id; })) {
    GiveBack(allocation);
  }
}

size_t AllocationMap::size() {
  const std::lock_guard lock(mutex_);
  return index_.size();
}

void GiveBack(const Allocation& allocation) {
  if (allocation.owner != nullptr) allocation.owner->TakeBack(allocation);
}

}  // namespace simgpu::cuda
