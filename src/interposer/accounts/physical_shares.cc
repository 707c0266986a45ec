// Physical memory that several processes may have: what this one exported and what it imported from
// another are charged in a slot of their own, once (ledger/memory_slot.h).
#include <errno.h>

#include "interposer/accounts/physical_memory.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

using ledger::MemoryName;
using ledger::MemorySlot;

namespace {

MemoryName NameOf(const ExportName& name, uint32_t pid, uint8_t serial) {
  if (name.fd < 0) return {.pid = 0, .pid_namespace = 0, .serial = 0, .common = name.name};
  return {.pid = pid,
          .pid_namespace = Session::Current()->pid_namespace(),
          .serial = serial,
          .common = 0};
}

// Not by pids that mean nothing elsewhere.
bool IsTold(const MemoryName& memory) { return memory.common != 0 || memory.pid_namespace != 0; }

bool IsGone(int pid) { return guest::ProbeProcess(pid) == -ESRCH; }

}  // namespace

// What is in an entry of joined_ or shares_ and no charge.
Live PhysicalMemory::Unowned(uint64_t owner) {
  return {.bytes = 0, .card = abi::kMaxCards, .kind = 0, .owner = owner};
}

// The next that no memory of the tenant goes by, as its maker may be forgotten; else none of ours,
// or just the next.
uint8_t PhysicalMemory::NextSerial(bool& is_told) {
  const uint64_t in_use = ledger::SerialsInUse(Session::Current()->usage());
  const auto after = [](uint8_t serial) { return static_cast<uint8_t>(serial % kLastSerial + 1); };
  const uint8_t next = after(last_serial_);
  uint8_t best = 0;
  uint8_t serial = next;
  for (uint8_t i = 0; i < kLastSerial; ++i, serial = after(serial)) {
    Live live;
    const Id id = latest_[serial].owner;
    if (id != 0 && shares_.Find(id, live)) continue;
    const bool is_free = (in_use >> (serial - 1) & 1) == 0;
    if (best == 0 || is_free) best = serial;
    if (is_free) break;
  }
  is_told = best != 0;
  return last_serial_ = is_told ? best : next;
}

void PhysicalMemory::MoveOut(Id id, const ExportName& name, uint8_t serial) {
  Live live;
  Live replaced;
  const MemoryName memory = NameOf(name, static_cast<uint32_t>(guest::ProcessId()), serial);
  if (!IsTold(memory) || !allocations_.Find(id, live) || live.kind != kSized) return;
  if (live.card >= abi::kMaxCards) return;
  if (shares_.Add(id, Unowned(0), replaced) == LiveTable::Added::kNoMemory) return;
  const MemorySlot moved = Session::Current()->MoveOut(live.card, live.bytes, memory);
  if (moved)
    shares_.Update(id, [=](Live& entry) { entry.owner = ledger::Pack(moved); });
  else
    (void)shares_.Take(id, replaced);
}

// False: it is charged as all other memory is.
bool PhysicalMemory::EndShare(Id id, const Live& allocation) {
  Live share;
  if (!shares_.Take(id, share)) return false;
  Session::Current()->Leave(ledger::Unpack(share.owner));
  Live joined;
  if (allocation.kind == kForeign) (void)joined_.Take(ledger::Unpack(share.owner).slot + 1, joined);
  return true;
}

// Where memory is charged that comes from another process, or went out from this one before it let
// go of it. None: it is not known.
MemorySlot PhysicalMemory::ShareOf(const ExportName& name) {
  using Owner = ExportMark::Owner;
  const Session& session = *Session::Current();
  if (name.name == 0 || session.IsClosed()) return {};
  if (name.fd < 0) return ledger::FindMemory(session.usage(), NameOf(name, 0, 0));
  const ExportMark mark = ReadExportMark(name.fd);
  const MemoryName made = NameOf(name, mark.pid, mark.serial);
  if (mark.owner == Owner::kUnknown || !IsTold(made)) return {};
  if (mark.owner != Owner::kNobody) return ledger::FindMemory(session.usage(), made);
  return ledger::FindOrphan(session.usage(), {made.pid_namespace, made.serial}, IsGone);
}

// 0: it is not known, or gone.
PhysicalMemory::Id PhysicalMemory::Join(const ExportName& name) {
  const MemorySlot memory = ShareOf(name);
  return memory && Session::Current()->Join(memory) ? IdOf(memory) : 0;
}

// An allocation without references, or the one that it has from before.
PhysicalMemory::Id PhysicalMemory::IdOf(const MemorySlot& memory) {
  Live live;
  Live share;
  if (joined_.Find(memory.slot + 1, live) && shares_.Find(live.owner, share) &&
      ledger::Unpack(share.owner) == memory)
    return live.owner;
  const Id id = last_id_ + 1;
  Live dead;
  const Live foreign{.bytes = 0, .card = abi::kMaxCards, .kind = kForeign, .owner = 0};
  const bool is_entered =
      allocations_.Add(id, foreign, dead) != LiveTable::Added::kNoMemory &&
      shares_.Add(id, Unowned(ledger::Pack(memory)), dead) != LiveTable::Added::kNoMemory &&
      joined_.Add(memory.slot + 1, Unowned(id), dead) != LiveTable::Added::kNoMemory;
  last_id_ = id;
  if (is_entered) return id;
  (void)allocations_.Take(id, dead);
  (void)shares_.Take(id, dead);
  Session::Current()->Leave(memory);
  return 0;
}

// It goes on under its maker's name.
void PhysicalMemory::ExportForeign(const ExportName& name, Id id) {
  Live share;
  if (name.fd < 0 || !shares_.Find(id, share)) return;
  Session& session = *Session::Current();
  ledger::OwnerIdentity owner{};
  uint64_t generation = 0;
  const uint32_t slot = ledger::Unpack(share.owner).slot;
  if (!ledger::ReadOwner(session.usage(), slot, owner, generation)) return;
  const MemoryName made = ledger::MakerOf(owner, session.pid_namespace());
  if (made.pid != 0) WriteExportMark(name.fd, made.serial, static_cast<int>(made.pid));
}

}  // namespace warpshare::interposer
