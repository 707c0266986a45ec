// The slots of a usage file: who takes one, and how a dead owner's bytes come back. Memory only;
// the caller brings the file lock and the verdict that an owner is dead (process_identity.h).
//
// A slot's generation is odd while it is taken. Taking and giving back each raise it by one
// compare-and-swap, so of several who do the same one does it, and an owner can tell that its slot
// was given away: the generation moved.
//
//   take       lock the slot's byte, make sure it is free and empty, write who you are, raise the
//              generation
//   give back  raise the generation, then take the bytes. Killed in between, a free slot holds
//              bytes: the next one who looks through the slots, or takes this one, finishes that.
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::ledger {

constexpr bool IsTaken(uint64_t generation) { return (generation & 1) != 0; }

// Whether it is for memory, and not for a process.
constexpr bool IsMemory(uint32_t slot) { return slot >= abi::kProcessSlots; }

struct OwnerIdentity {
  uint32_t pid;
  uint64_t start_time;     // 0: not known
  uint64_t pid_namespace;  // 0: not known
  uint32_t exec_mark;      // 0: not known
  char command[16];
};

// Slots of processes that were ever taken; never more than there are, whatever the file says.
uint32_t SlotCeiling(const abi::UsagePageV1& page);
// One past the last slot of memory that was ever taken; kProcessSlots: none was.
uint32_t MemoryCeiling(const abi::UsagePageV1& page);

// Calls `visit(slot)` for all that were ever taken.
template <typename Visit>
void ForEachSlot(const abi::UsagePageV1& page, Visit visit) {
  for (uint32_t slot = 0; slot < SlotCeiling(page); ++slot) visit(slot);
  for (uint32_t slot = abi::kProcessSlots; slot < MemoryCeiling(page); ++slot) visit(slot);
}

// An owner as it was at one moment; false if the slot is free or changed hands meanwhile.
bool ReadOwner(const abi::UsagePageV1& page, uint32_t slot, OwnerIdentity& owner,
               uint64_t& generation);

// Whether the slot holds bytes on any card. Asked before the costly question whether its owner is
// alive.
bool HoldsBytes(abi::UsagePageV1& page, uint32_t slot);

// Frees the slot of an owner that is dead and takes its bytes back; returns them, all cards
// together. 0 too if somebody else was faster.
uint64_t GiveBackDead(abi::UsagePageV1& page, uint32_t slot, uint64_t generation);

// Takes back what a free slot still holds.
uint64_t ReapFree(abi::UsagePageV1& page, uint32_t slot);

// Makes the slot the caller's; the caller holds its byte lock. The new generation, or 0 if the slot
// is not free.
uint64_t TakeSlot(abi::UsagePageV1& page, uint32_t slot, const OwnerIdentity& self);

}  // namespace warpshare::ledger
