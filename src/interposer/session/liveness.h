// Who of a tenant's processes is still there, and taking back what the dead ones held. The rule is
// ledger/process_identity.h; here are the questions to the system.
//
// Nobody waits: every question is answered at once. What can go wrong, and what then happens:
//   - A process closed our descriptor, and an observer in another pid namespace takes it for dead:
//     its slot is given away, it notices at its next call (the slot's generation moved), takes a
//     new one and enters its bytes there (Session::Reenter). Until then the tenant's total is too
//     low by them.
//   - A fork child still has the descriptor of a parent that died, and the observer is in another
//     pid namespace: the parent's bytes stay counted until the child makes its first CUDA call,
//     runs another program or ends. fork() closes it at once; a raw clone() does not.
#pragma once

#include <cstdint>

#include "interposer/session/tenant_pages.h"
#include "ledger/slot_table.h"

namespace warpshare::interposer {

// This process as it writes itself into its slot. What cannot be found out is 0.
ledger::OwnerIdentity IdentifySelf();

// Slots that are the caller's: its own locks do not show to it.
struct SlotSet {
  uint64_t words[abi::kMaxSlots / 64];

  void Add(uint32_t slot) {
    if (slot < abi::kMaxSlots) words[slot / 64] |= uint64_t{1} << slot % 64;
  }
  bool Has(uint32_t slot) const { return (words[slot / 64] >> slot % 64 & 1) != 0; }
};

// Looks at slots the way one process sees them.
class Observer {
 public:
  Observer(const TenantPages& pages, const ledger::OwnerIdentity& self)
      : pages_(pages), self_(self) {}

  bool IsDead(uint32_t slot, const ledger::OwnerIdentity& owner) const;

  // Takes back what an earlier program of this very process held (exec), as nobody else can tell.
  // `own_slot`: kMaxSlots before this program has one.
  uint64_t SweepFormer(uint32_t own_slot) const;

  // Takes back what dead owners hold, and what reapers that died left in free slots; not from
  // `own`. Returns bytes.
  uint64_t Sweep(const SlotSet& own) const;

 private:
  uint64_t SweepSlot(uint32_t slot) const;

  const TenantPages& pages_;
  const ledger::OwnerIdentity& self_;
};

// The byte lock of a slot, on our open file description. 0, or -errno; -EAGAIN: somebody else holds
// it.
int LockSlot(int usage_fd, uint32_t slot);
// Several may hold it so at once; makes ours such a one, too.
int ShareSlotLock(int usage_fd, uint32_t slot);
void UnlockSlot(int usage_fd, uint32_t slot);

}  // namespace warpshare::interposer
