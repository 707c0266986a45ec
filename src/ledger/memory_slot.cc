#include "ledger/memory_slot.h"

namespace warpshare::ledger {

namespace {

// In a slot's start_time: pid, serial and some bits of the namespace, or the common name. In its
// exec_mark, which of them, and what became of the maker.
constexpr uint32_t kSerialMask = 0xff;
constexpr uint32_t kByMaker = 1u << 8;
constexpr uint32_t kLetGo = 1u << 9;
constexpr uint32_t kSerialShift = 32;
constexpr uint32_t kNamespaceShift = 40;

uint64_t KeyOf(const MemoryName& memory) {
  if (memory.pid == 0) return memory.common;
  return memory.pid | uint64_t{memory.serial} << kSerialShift |
         memory.pid_namespace << kNamespaceShift;
}

uint32_t MarkOf(const MemoryName& memory) { return memory.pid == 0 ? 0 : kByMaker | memory.serial; }

uint32_t PidOf(const OwnerIdentity& owner) { return static_cast<uint32_t>(owner.start_time); }

bool IsOfNamespace(const OwnerIdentity& owner, uint64_t pid_namespace) {
  constexpr uint64_t kMask = UINT64_MAX >> kNamespaceShift;
  return (owner.exec_mark & kByMaker) != 0 &&
         owner.start_time >> kNamespaceShift == (pid_namespace & kMask);
}

// The one slot whose owner is memory that `matches`.
template <typename Matches>
MemorySlot FindSole(const abi::UsagePageV1& page, Matches matches) {
  MemorySlot found;
  for (uint32_t slot = abi::kProcessSlots; slot < MemoryCeiling(page); ++slot) {
    OwnerIdentity owner{};
    uint64_t generation = 0;
    if (!ReadOwner(page, slot, owner, generation) || !matches(owner)) continue;
    if (found) return {};
    found = {.slot = slot, .generation = generation};
  }
  return found;
}

}  // namespace

OwnerIdentity OwnerOf(const MemoryName& memory) {
  return {.pid = 0,
          .start_time = KeyOf(memory),
          .pid_namespace = 0,  // so that nobody looks it up
          .exec_mark = MarkOf(memory),
          .command = "(exported)"};
}

bool IsMadeBy(const OwnerIdentity& owner, uint32_t pid, uint64_t pid_namespace) {
  return IsOfNamespace(owner, pid_namespace) && PidOf(owner) == pid &&
         (owner.exec_mark & kLetGo) == 0;
}

MemoryName MakerOf(const OwnerIdentity& owner, uint64_t pid_namespace) {
  if (!IsOfNamespace(owner, pid_namespace))
    return {.pid = 0, .pid_namespace = 0, .serial = 0, .common = 0};
  return {.pid = PidOf(owner),
          .pid_namespace = pid_namespace,
          .serial = static_cast<uint8_t>(owner.exec_mark & kSerialMask),
          .common = 0};
}

MemorySlot FindMemory(const abi::UsagePageV1& page, const MemoryName& memory) {
  const uint64_t key = KeyOf(memory);
  const uint32_t mark = MarkOf(memory);
  return FindSole(page, [=](const OwnerIdentity& owner) {
    return owner.start_time == key && (owner.exec_mark & ~kLetGo) == mark;
  });
}

MemorySlot FindOrphan(const abi::UsagePageV1& page, const Orphan& orphan,
                      bool (*is_gone)(int pid)) {
  return FindSole(page, [=](const OwnerIdentity& owner) {
    if (!IsOfNamespace(owner, orphan.pid_namespace)) return false;
    if ((owner.exec_mark & kSerialMask) != orphan.serial) return false;
    return (owner.exec_mark & kLetGo) != 0 || is_gone(static_cast<int>(PidOf(owner)));
  });
}

uint64_t SerialsInUse(const abi::UsagePageV1& page) {
  uint64_t serials = 0;
  for (uint32_t slot = abi::kProcessSlots; slot < MemoryCeiling(page); ++slot) {
    const abi::SlotOwner& owner = page.slots[slot].owner;
    const uint32_t mark = owner.exec_mark.load(std::memory_order_relaxed);
    const uint32_t serial = mark & kSerialMask;
    const bool is_taken = IsTaken(owner.generation.load(std::memory_order_relaxed));
    if (is_taken && (mark & kByMaker) != 0 && serial >= 1 && serial <= 64)
      serials |= uint64_t{1} << (serial - 1);
  }
  return serials;
}

bool IsThere(const abi::UsagePageV1& page, const MemorySlot& memory) {
  return page.slots[memory.slot].owner.generation.load() == memory.generation;
}

void LetGo(abi::UsagePageV1& page, const MemorySlot& memory) {
  if (!IsThere(page, memory)) return;
  std::atomic<uint32_t>& mark = page.slots[memory.slot].owner.exec_mark;
  uint32_t seen = mark.load();
  if ((seen & ~kSerialMask) == kByMaker) mark.compare_exchange_strong(seen, seen | kLetGo);
}

}  // namespace warpshare::ledger
