#include "interposer/accounts/physical_memory.h"

#include <sys/stat.h>

#include "interposer/accounts/charged.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// Mappings begin at multiples of this; cards of today use 2 MiB.
constexpr uint64_t kMappingStep = uint64_t{64} << 10;

// How far back the beginning of a mapping is looked for, where the driver does not tell it: 1 GiB.
constexpr uint64_t kMostSteps = 1 << 14;

// Entries of tables whose bytes are no charge.
Live Uncharged(uint64_t bytes, uint64_t owner) {
  return {.bytes = bytes, .card = abi::kMaxCards, .kind = 0, .owner = owner};
}

uint64_t Mix(uint64_t a, uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15 + (b >> 29); }

}  // namespace

bool PhysicalMemory::Enter(Handle handle, uint64_t bytes, const CardAccount& account) {
  const guest::LockGuard guard(lock_);
  const Id id = ++last_id_;
  const Live allocation{.bytes = bytes,
                        .card = static_cast<uint8_t>(account.card()),
                        .kind = static_cast<uint8_t>(Charged::kItself),
                        .owner = 1};
  Live dead{};
  if (allocations_.Add(id, allocation, dead) == LiveTable::Added::kNoMemory) return false;
  const LiveTable::Added added = handles_.Add(handle, Uncharged(1, id), dead);
  if (added == LiveTable::Added::kReplaced) DropReferences(dead.owner, dead.bytes);
  if (added == LiveTable::Added::kNoMemory) (void)allocations_.Take(id, dead);
  return added != LiveTable::Added::kNoMemory;
}

PhysicalMemory::Id PhysicalMemory::AllocationOf(Handle handle) {
  Live live;
  return handle != 0 && handles_.Find(handle, live) ? live.owner : 0;
}

PhysicalMemory::Id PhysicalMemory::AllocationAt(CUdeviceptr address) {
  Live live;
  CUdeviceptr base = 0;
  if (REAL(cuMemGetAddressRange_v2)(&base, nullptr, address) == CUDA_SUCCESS &&
      mappings_.Find(base, live) && address - base < live.bytes) {
    return live.owner;
  }
  uint64_t start = address & ~(kMappingStep - 1);
  for (uint64_t step = 0; step < kMostSteps && start != 0; ++step, start -= kMappingStep) {
    if (mappings_.Find(start, live)) return address - start < live.bytes ? live.owner : 0;
  }
  return 0;
}

PhysicalMemory::Id PhysicalMemory::AllocationOfExport(uint64_t name) {
  Live live;
  return name != 0 && exports_.Find(name, live) ? live.owner : 0;
}

void PhysicalMemory::AddHandle(Handle handle, Id id) {
  Live dead{};
  if (id == 0 || !allocations_.Update(id, [](Live& live) { ++live.owner; })) return;
  if (!handles_.Update(handle, [](Live& live) { ++live.bytes; })) {
    (void)handles_.Add(handle, Uncharged(1, id), dead);
  }
}

void PhysicalMemory::DropHandle(Handle handle) {
  const Id id = AllocationOf(handle);
  if (id == 0) return;
  uint64_t left = 0;
  handles_.Update(handle, [&left](Live& live) { left = --live.bytes; });
  Live dead{};
  if (left == 0) (void)handles_.Take(handle, dead);
  DropReferences(id, 1);
}

void PhysicalMemory::AddMapping(CUdeviceptr address, uint64_t bytes, Handle handle) {
  const Id id = AllocationOf(handle);
  if (id == 0 || !allocations_.Update(id, [](Live& live) { ++live.owner; })) return;
  Live dead{};
  if (mappings_.Add(address, Uncharged(bytes, id), dead) == LiveTable::Added::kReplaced) {
    DropReferences(dead.owner, 1);
  }
}

// The driver unmaps whole mappings only, as many as the range covers.
void PhysicalMemory::DropMappings(CUdeviceptr address, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes;) {
    Live live;
    if (mappings_.Take(address + done, live)) {
      done += live.bytes;
      DropReferences(live.owner, 1);
    } else {
      done += kMappingStep;
    }
  }
}

void PhysicalMemory::DropReferences(Id id, uint64_t count) {
  uint64_t left = 0;
  allocations_.Update(id, [&](Live& live) {
    live.owner = live.owner > count ? live.owner - count : 0;
    left = live.owner;
  });
  Live live;
  if (left == 0 && allocations_.Take(id, live)) Bury(live);
}

void PhysicalMemory::NoteExport(uint64_t name, Handle handle) {
  const guest::LockGuard guard(lock_);
  const Id id = AllocationOf(handle);
  Live replaced;
  if (name != 0 && id != 0) (void)exports_.Add(name, Uncharged(0, id), replaced);
}

Place PlaceOf(const CUmemAllocationProp& properties) {
  switch (properties.location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      return PlaceOfDevice(properties.location.id);
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      return {};
    default:  // managed memory that lives nowhere in particular, as cuMemAllocManaged gives it
      return properties.type == CU_MEM_ALLOCATION_TYPE_MANAGED ? CurrentPlace() : Place{};
  }
}

uint64_t ExportName(const void* shareable_handle, CUmemAllocationHandleType type, bool is_import) {
  if (shareable_handle == nullptr) return 0;
  if (type == CU_MEM_HANDLE_TYPE_FABRIC) {
    uint64_t words[sizeof(CUmemFabricHandle) / sizeof(uint64_t)];
    __builtin_memcpy(words, shareable_handle, sizeof(words));
    uint64_t name = 0;
    for (const uint64_t word : words) name = Mix(name, word);
    return name;
  }
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return 0;
  // An export writes the descriptor where it is told to; an import is given it as the pointer.
  const int fd = is_import ? static_cast<int>(reinterpret_cast<intptr_t>(shareable_handle))
                           : *static_cast<const int*>(shareable_handle);
  struct stat file;
  if (guest::StatFd(fd, &file) < 0) return 0;
  return Mix(Mix(static_cast<uint64_t>(fd) + 1, file.st_ino), file.st_dev);
}

}  // namespace warpshare::interposer
