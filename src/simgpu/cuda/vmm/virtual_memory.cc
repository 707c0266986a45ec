#include "simgpu/cuda/vmm/virtual_memory.h"

#include <sys/mman.h>

#include <mutex>
#include <unordered_map>
#include <utility>

#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

struct State {
  std::mutex mutex;
  AddressSpace space;
  // Memory the program holds references to; mappings hold theirs by themselves.
  std::unordered_map<PhysicalMemory*, std::shared_ptr<PhysicalMemory>> referenced;
};

State& Vmm() {
  static State* const state = new State;  // outlives the executor's threads
  return *state;
}

void* PointerTo(uintptr_t address) { return reinterpret_cast<void*>(address); }

int ProtectionOf(CUmemAccess_flags access) {
  switch (access) {
    case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
      return PROT_READ | PROT_WRITE;
    case CU_MEM_ACCESS_FLAGS_PROT_READ:
      return PROT_READ;
    default:
      return PROT_NONE;
  }
}

bool IsAccess(CUmemAccess_flags flags) {
  return flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
         flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

// What copies and pointer queries know of a mapping.
bool Announce(const AddressRange& range, const PhysicalMemory& memory) {
  Allocation allocation;
  allocation.base = range.base;
  allocation.bytes = range.bytes;
  allocation.origin = Origin::kMapped;
  allocation.access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  allocation.device = memory.device();
  allocation.card = memory.extent().card;
  return AllocationMap::Instance().Insert(allocation);
}

bool Protect(const Mapping& mapping) {
  const CUmemAccess_flags access = mapping.Strongest();
  AllocationMap::Instance().Update(mapping.range.base,
                                   [access](Allocation& it) { it.access = access; });
  return mprotect(PointerTo(mapping.range.base), mapping.range.bytes, ProtectionOf(access)) == 0;
}

}  // namespace

CUmemGenericAllocationHandle Adopt(const CUmemAllocationProp& props, const world::Extent& extent) {
  auto memory = std::make_shared<PhysicalMemory>(props, extent);
  memory->references = 1;
  const CUmemGenericAllocationHandle handle = memory->handle();
  const std::lock_guard lock(Vmm().mutex);
  Vmm().referenced.emplace(memory.get(), std::move(memory));
  return handle;
}

std::shared_ptr<PhysicalMemory> MemoryOf(CUmemGenericAllocationHandle handle) {
  const std::lock_guard lock(Vmm().mutex);
  const auto found = Vmm().referenced.find(PhysicalMemory::From(handle));
  return found != Vmm().referenced.end() ? found->second : nullptr;
}

CUresult ReleaseReference(CUmemGenericAllocationHandle handle) {
  std::shared_ptr<PhysicalMemory> last;  // is freed without the lock
  const std::lock_guard lock(Vmm().mutex);
  const auto found = Vmm().referenced.find(PhysicalMemory::From(handle));
  SIMGPU_REQUIRE(found != Vmm().referenced.end(), CUDA_ERROR_INVALID_VALUE);
  if (--found->second->references > 0) return CUDA_SUCCESS;
  last = std::move(found->second);
  Vmm().referenced.erase(found);
  return CUDA_SUCCESS;
}

CUresult RetainMapped(uintptr_t address, CUmemGenericAllocationHandle* handle) {
  const std::lock_guard lock(Vmm().mutex);
  const Mapping* const mapping = Vmm().space.MappingOf(address);
  SIMGPU_REQUIRE(mapping != nullptr, CUDA_ERROR_INVALID_VALUE);
  mapping->memory->references++;
  Vmm().referenced.emplace(mapping->memory.get(), mapping->memory);
  *handle = mapping->memory->handle();
  return CUDA_SUCCESS;
}

CUresult ReserveAddresses(size_t bytes, size_t alignment, uintptr_t hint, uintptr_t* base) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  size_t room = 0;
  SIMGPU_REQUIRE(!__builtin_add_overflow(bytes, alignment, &room), CUDA_ERROR_OUT_OF_MEMORY);
  // The hint is asked for; what comes instead is cut to the alignment.
  if (hint != 0 && hint % alignment == 0) {
    void* const at = mmap(PointerTo(hint), bytes, PROT_NONE, flags, -1, 0);
    if (at != MAP_FAILED && reinterpret_cast<uintptr_t>(at) == hint) {
      const std::lock_guard lock(Vmm().mutex);
      Vmm().space.Reserve({hint, bytes});
      *base = hint;
      return CUDA_SUCCESS;
    }
    if (at != MAP_FAILED) munmap(at, bytes);
  }
  void* const at = mmap(nullptr, room, PROT_NONE, flags, -1, 0);
  SIMGPU_REQUIRE(at != MAP_FAILED, CUDA_ERROR_OUT_OF_MEMORY);
  const auto start = reinterpret_cast<uintptr_t>(at);
  const uintptr_t aligned = (start + alignment - 1) / alignment * alignment;
  if (aligned != start) munmap(at, aligned - start);
  munmap(PointerTo(aligned + bytes), start + room - aligned - bytes);
  const std::lock_guard lock(Vmm().mutex);
  Vmm().space.Reserve({aligned, bytes});
  *base = aligned;
  return CUDA_SUCCESS;
}

CUresult FreeAddresses(const AddressRange& range) {
  const std::lock_guard lock(Vmm().mutex);
  SIMGPU_REQUIRE(Vmm().space.Unreserve(range), CUDA_ERROR_INVALID_VALUE);
  munmap(PointerTo(range.base), range.bytes);
  return CUDA_SUCCESS;
}

CUresult MapMemory(const AddressRange& range, const std::shared_ptr<PhysicalMemory>& memory) {
  const std::lock_guard lock(Vmm().mutex);
  const Mapping* const mapping = Vmm().space.Map(range, memory);
  SIMGPU_REQUIRE(mapping != nullptr, CUDA_ERROR_INVALID_VALUE);
  world::Memory& card = world::World::Instance().memory();
  void* const at = PointerTo(range.base);
  memory->NoteMapped();
  const bool mapped = card.MapAt(memory->extent(), 0, at, range.bytes) &&
                      mprotect(at, range.bytes, PROT_NONE) == 0 && Announce(range, *memory);
  if (mapped) return CUDA_SUCCESS;
  card.Unmap(at, range.bytes);
  Vmm().space.Unmap(*mapping);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult UnmapMemory(const AddressRange& range) {
  std::vector<std::shared_ptr<PhysicalMemory>> freed;  // without the lock
  const std::lock_guard lock(Vmm().mutex);
  const std::vector<Mapping*> mappings = Vmm().space.Covering(range);
  SIMGPU_REQUIRE(!mappings.empty(), CUDA_ERROR_INVALID_VALUE);
  for (Mapping* const mapping : mappings) {
    AllocationMap::Instance().Take(mapping->range.base, {Origin::kMapped});
    world::World::Instance().memory().Unmap(PointerTo(mapping->range.base), mapping->range.bytes);
    freed.push_back(std::move(mapping->memory));
    Vmm().space.Unmap(*mapping);
  }
  return CUDA_SUCCESS;
}

CUresult SetAccess(const AddressRange& range, const CUmemAccessDesc* access, size_t count) {
  for (size_t i = 0; i < count; i++) {
    SIMGPU_REQUIRE(access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE,
                   CUDA_ERROR_INVALID_VALUE);
    SIMGPU_REQUIRE(IsAccess(access[i].flags), CUDA_ERROR_INVALID_VALUE);
    int card = -1;
    SIMGPU_TRY(CardOf(access[i].location.id, &card));
  }
  const std::lock_guard lock(Vmm().mutex);
  const std::vector<Mapping*> mappings = Vmm().space.Covering(range);
  SIMGPU_REQUIRE(!mappings.empty(), CUDA_ERROR_INVALID_VALUE);
  for (Mapping* const mapping : mappings) {
    for (size_t i = 0; i < count; i++) mapping->access[access[i].location.id] = access[i].flags;
    SIMGPU_REQUIRE(Protect(*mapping), CUDA_ERROR_OUT_OF_MEMORY);
  }
  return CUDA_SUCCESS;
}

CUresult GetAccess(uintptr_t address, CUdevice device, CUmemAccess_flags* flags) {
  const std::lock_guard lock(Vmm().mutex);
  const Mapping* const mapping = Vmm().space.MappingOf(address);
  SIMGPU_REQUIRE(mapping != nullptr, CUDA_ERROR_INVALID_VALUE);
  const auto found = mapping->access.find(device);
  *flags = found != mapping->access.end() ? found->second : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}

std::optional<AddressRange> FindReservation(uintptr_t address) {
  const std::lock_guard lock(Vmm().mutex);
  const AddressRange* const range = Vmm().space.ReservationOf(address);
  if (range == nullptr) return std::nullopt;
  return *range;
}

std::shared_ptr<PhysicalMemory> FindMapped(uintptr_t address) {
  const std::lock_guard lock(Vmm().mutex);
  const Mapping* const mapping = Vmm().space.MappingOf(address);
  return mapping != nullptr ? mapping->memory : nullptr;
}

}  // namespace simgpu::cuda
