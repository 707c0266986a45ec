#include "simgpu/cuda/vmm/address_space.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace simgpu::cuda {

CUmemAccess_flags Mapping::Strongest() const {
  CUmemAccess_flags strongest = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  for (const auto& [device, flags] : access) strongest = std::max(strongest, flags);
  return strongest;
}

void AddressSpace::Reserve(const AddressRange& range) { reservations_.emplace(range.base, range); }

bool AddressSpace::Unreserve(const AddressRange& range) {
  const auto found = reservations_.find(range.base);
  if (found == reservations_.end() || found->second.bytes != range.bytes) return false;
  if (AnyMapped(range)) return false;
  reservations_.erase(found);
  return true;
}

const AddressRange* AddressSpace::ReservationOf(uintptr_t address) const {
  const auto after = reservations_.upper_bound(address);
  if (after == reservations_.begin()) return nullptr;
  const AddressRange& range = std::prev(after)->second;
  return range.Holds(address) ? &range : nullptr;
}

bool AddressSpace::AnyMapped(const AddressRange& range) const {
  const auto at = mappings_.lower_bound(range.base);
  if (at != mappings_.end() && at->first < range.end()) return true;
  return at != mappings_.begin() && std::prev(at)->second.range.end() > range.base;
}

Mapping* AddressSpace::Map(const AddressRange& range, std::shared_ptr<PhysicalMemory> memory) {
  const AddressRange* const reservation = ReservationOf(range.base);
  if (reservation == nullptr || range.bytes == 0) return nullptr;
  if (range.bytes > reservation->end() - range.base || AnyMapped(range)) return nullptr;
  const auto [it, inserted] = mappings_.emplace(
      range.base, Mapping{.range = range, .memory = std::move(memory), .access = {}});
  return &it->second;
}

std::vector<Mapping*> AddressSpace::Covering(const AddressRange& range) {
  std::vector<Mapping*> covering;
  uintptr_t at = range.base;
  const uintptr_t end = range.end();
  if (end < at) return {};
  while (at != end) {
    const auto found = mappings_.find(at);
    if (found == mappings_.end() || found->second.range.bytes > end - at) return {};
    covering.push_back(&found->second);
    at = found->second.range.end();
  }
  return covering;
}

Mapping* AddressSpace::MappingOf(uintptr_t address) {
  const auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return nullptr;
  Mapping& mapping = std::prev(after)->second;
  return mapping.range.Holds(address) ? &mapping : nullptr;
}

}  // namespace simgpu::cuda
