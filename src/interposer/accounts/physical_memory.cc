#include "interposer/accounts/physical_memory.h"

#include "interposer/accounts/charged.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

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

}  // namespace

void PhysicalMemory::BuryReplaced(const Live& handle) {
  const guest::LockGuard guard(lock_);
  DropDead(handle);
}

void PhysicalMemory::DropDead(const Live& dead) {
  if (dead.kind == kSole) {
    Bury(dead);
  } else {
    DropReferences(dead.owner, dead.bytes);
  }
}

PhysicalMemory::Id PhysicalMemory::Add(Handle handle, uint64_t bytes, const CardAccount& account) {
  const Id id = Number({.bytes = bytes,
                        .card = static_cast<uint8_t>(account.card()),
                        .kind = bytes != 0 ? kSized : kUnsized,
                        .owner = 0});
  Live dead{};
  if (id == 0) return 0;
  const LiveTable::Added added = handles_.Add(handle, Uncharged(1, id), dead);
  if (added == LiveTable::Added::kReplaced) DropDead(dead);
  if (added != LiveTable::Added::kNoMemory) return id;
  (void)allocations_.Take(id, dead);
  return 0;
}

// An allocation with one reference.
PhysicalMemory::Id PhysicalMemory::Number(const Live& sole) {
  Live allocation = sole;
  allocation.owner = 1;
  Live dead;
  const bool is_entered =
      allocations_.Add(last_id_ + 1, allocation, dead) != LiveTable::Added::kNoMemory;
  return is_entered ? ++last_id_ : 0;
}

PhysicalMemory::Id PhysicalMemory::AllocationOf(Handle handle) {
  Live live;
  if (handle == 0 || !handles_.Find(handle, live)) return 0;
  if (live.kind != kSole) return live.owner;
  const Id id = Number(live);
  if (id != 0) handles_.Update(handle, [=](Live& entry) { entry = Uncharged(1, id); });
  return id;
}

bool PhysicalMemory::CanFollow(Handle handle) {
  Live live;
  return AllocationOf(handle) != 0 || handle == 0 || !handles_.Find(handle, live);
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

void PhysicalMemory::AddHandle(Handle handle, Id id) {
  Live dead{};
  if (id == 0 || !allocations_.Update(id, [](Live& live) { ++live.owner; })) return;
  if (!handles_.Update(handle, [](Live& live) { ++live.bytes; })) {
    (void)handles_.Add(handle, Uncharged(1, id), dead);
  }
}

// Of a handle by which several references were given, or that is none of ours.
CUresult PhysicalMemory::ReleaseOfSeveral(Handle handle, DriverCall call) {
  Live live;
  if (!handles_.Find(handle, live) || live.kind == kSole) return call();
  const bool is_last = live.bytes == 1 && handles_.TakeOf(kReference, handle, live);
  const CUresult result = call();
  if (result == CUDA_SUCCESS) {
    if (!is_last) handles_.Update(handle, [](Live& entry) { --entry.bytes; });
    DropReferences(live.owner, 1);
  } else if (is_last && !handles_.PutBack(handle, live)) {
    DropReferences(live.owner, 1);
  }
  return result;
}

void PhysicalMemory::AddMapping(const Mapping& mapping, Claim& claim) {
  const Id id = AllocationOf(mapping.handle);
  const bool is_known = id != 0 && allocations_.Update(id, [&](Live& live) {
    ++live.owner;
    const uint64_t seen = mapping.offset + mapping.bytes;
    if (live.kind != kUnsized || seen <= live.bytes || seen - live.bytes > claim.bytes) return;
    claim.bytes -= seen - live.bytes;
    live.bytes = seen;
  });
  Live dead{};
  if (is_known && mappings_.Add(mapping.address, Uncharged(mapping.bytes, id), dead) ==
                      LiveTable::Added::kReplaced) {
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
  bool is_last = false;
  allocations_.Update(id, [&](Live& live) {
    const uint64_t left = References(live).count;
    is_last = left <= count;
    live.owner -= is_last ? left : count;
  });
  Live live;
  if (!is_last || !allocations_.Take(id, live)) return;
  if (!EndShare(id, live)) Bury(live);
  // From here on it is nobody's, if that descriptor keeps it alive.
  const References references(live);
  if (latest_[references.serial].owner == id) DisownExport(references.fd, references.serial);
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

}  // namespace warpshare::interposer
