// A slot of a usage file that holds memory and no process. What a process exports may be imported
// by others and outlive it, and is to be charged once all the same, as long as any of them has it.
// So it moves from its maker's part to a slot of its own. That slot lives as long as somebody holds
// its byte lock for reading: the maker until it lets go of the memory, and everybody who imported
// it. The kernel ends a dead process's locks; so whoever comes next finds the slot as he finds that
// of any owner whom he cannot look up (process_identity.h), and takes its bytes back.
//
// Who imports finds it by what the descriptor says of its maker, or by a name of its own. Memory
// only, as slot_table.h: the caller brings the locks.
#pragma once

#include <cstdint>

#include "ledger/slot_table.h"

namespace warpshare::ledger {

inline constexpr uint32_t kMemorySlots = abi::kMaxSlots - abi::kProcessSlots;

// By its maker, who numbers what it exports, or by a name that all know it by (of a fabric).
struct MemoryName {
  uint32_t pid;            // 0: it goes by `common`
  uint64_t pid_namespace;  // in which pid counts; not 0
  uint8_t serial;          // not 0
  uint64_t common;         // not 0, if pid is
};

OwnerIdentity OwnerOf(const MemoryName& memory);

// Whether the owner of a slot of memory is what this process has made and not let go of.
bool IsMadeBy(const OwnerIdentity& owner, uint32_t pid, uint64_t pid_namespace);

// Who made it, as it is called by; pid 0: nobody in this namespace.
MemoryName MakerOf(const OwnerIdentity& owner, uint64_t pid_namespace);

struct MemorySlot {
  uint32_t slot = abi::kMaxSlots;  // none
  uint64_t generation = 0;

  explicit operator bool() const { return slot != abi::kMaxSlots; }
  bool operator==(const MemorySlot&) const = default;
};

// In one word, for tables.
constexpr uint32_t kSlotBits = 10;
static_assert(abi::kMaxSlots == 1u << kSlotBits);
constexpr uint64_t Pack(const MemorySlot& memory) {
  return memory.generation << kSlotBits | memory.slot;
}
constexpr MemorySlot Unpack(uint64_t word) {
  return {.slot = static_cast<uint32_t>(word) % abi::kMaxSlots, .generation = word >> kSlotBits};
}

// None, too, if several go by that name.
MemorySlot FindMemory(const abi::UsagePageV1& page, const MemoryName& memory);

// What no maker holds any more, by its serial alone, as the kernel has forgotten the maker. None,
// too, if that may be several. `is_gone(pid)`: of the namespace, which is the caller's.
struct Orphan {
  uint64_t pid_namespace;
  uint8_t serial;
};
MemorySlot FindOrphan(const abi::UsagePageV1& page, const Orphan& orphan, bool (*is_gone)(int pid));

// Of all memory that is known by a maker's serial: bit serial - 1, of those up to 64.
uint64_t SerialsInUse(const abi::UsagePageV1& page);

// Whether that is still the same memory.
bool IsThere(const abi::UsagePageV1& page, const MemorySlot& memory);

// Its maker, the caller, does not hold it any more; said while it still holds the lock.
void LetGo(abi::UsagePageV1& page, const MemorySlot& memory);

}  // namespace warpshare::ledger
