#include "ledger/slot_table.h"

#include "ledger/card_ledger.h"
#include "ledger/pair_atomics.h"
#include "ledger/words.h"

namespace warpshare::ledger {

namespace {

struct Expected {
  const std::atomic<uint64_t>& generation;
  uint64_t value;
};

bool IsUnchanged(void* context) {
  const auto& expected = *static_cast<Expected*>(context);
  return expected.generation.load() == expected.value;
}

uint64_t ReapAllCards(abi::UsagePageV1& page, uint32_t slot, uint64_t generation) {
  Expected expected{page.slots[slot].owner.generation, generation};
  uint64_t bytes = 0;
  for (uint32_t card = 0; card < abi::kMaxCards; ++card) {
    bytes += CardLedger(page, card).Reap(slot, IsUnchanged, &expected);
  }
  return bytes;
}

}  // namespace

uint32_t SlotCeiling(const abi::UsagePageV1& page) {
  const uint32_t ceiling = page.slot_ceiling.load(std::memory_order_acquire);
  return ceiling < abi::kProcessSlots ? ceiling : abi::kProcessSlots;
}

uint32_t MemoryCeiling(const abi::UsagePageV1& page) {
  const uint32_t ceiling = page.memory_ceiling.load(std::memory_order_acquire);
  if (ceiling < abi::kProcessSlots) return abi::kProcessSlots;
  return ceiling < abi::kMaxSlots ? ceiling : abi::kMaxSlots;
}

bool ReadOwner(const abi::UsagePageV1& page, uint32_t slot, OwnerIdentity& owner,
               uint64_t& generation) {
  const abi::SlotOwner& from = page.slots[slot].owner;
  generation = from.generation.load(std::memory_order_acquire);
  if (!IsTaken(generation)) return false;
  owner.pid = from.pid.load(std::memory_order_relaxed);
  owner.start_time = from.start_time.load(std::memory_order_relaxed);
  owner.pid_namespace = from.pid_namespace.load(std::memory_order_relaxed);
  owner.exec_mark = from.exec_mark.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < sizeof(owner.command); ++i) owner.command[i] = from.command[i];
  std::atomic_thread_fence(std::memory_order_acquire);
  return from.generation.load(std::memory_order_relaxed) == generation;
}

bool HoldsBytes(abi::UsagePageV1& page, uint32_t slot) {
  for (uint32_t card = 0; card < abi::kMaxCards; ++card) {
    if (CardLedger(page, card).PartBytes(slot) != 0) return true;
  }
  return false;
}

uint64_t GiveBackDead(abi::UsagePageV1& page, uint32_t slot, uint64_t generation) {
  uint64_t seen = generation;
  if (!page.slots[slot].owner.generation.compare_exchange_strong(seen, generation + 1)) return 0;
  return ReapAllCards(page, slot, generation + 1);
}

uint64_t ReapFree(abi::UsagePageV1& page, uint32_t slot) {
  const uint64_t generation = page.slots[slot].owner.generation.load();
  return IsTaken(generation) ? 0 : ReapAllCards(page, slot, generation);
}

namespace {

// What the one before said of calls in flight.
void ForgetWork(abi::SlotV1& slot) {
  for (auto& room : slot.room) room.store(0, std::memory_order_relaxed);
  for (abi::CardWorkV1& work : slot.work) {
    work.used_ns.store(0, std::memory_order_relaxed);
    work.busy_until_ns.store(0, std::memory_order_relaxed);
    work.waits_since_ns.store(0, std::memory_order_relaxed);
    work.waited_ns.store(0, std::memory_order_relaxed);
  }
  for (auto& awaited : slot.awaited_us_plus_1) awaited.store(0, std::memory_order_relaxed);
}

void RaiseCeiling(std::atomic<uint32_t>& word, uint32_t slot) {
  uint32_t ceiling = word.load();
  while (ceiling <= slot && !word.compare_exchange_weak(ceiling, slot + 1)) {
  }
}

}  // namespace

uint64_t TakeSlot(abi::UsagePageV1& page, uint32_t slot, const OwnerIdentity& self) {
  abi::SlotOwner& owner = page.slots[slot].owner;
  uint64_t generation = owner.generation.load();
  if (IsTaken(generation)) return 0;
  ReapAllCards(page, slot, generation);
  owner.pid.store(self.pid, std::memory_order_relaxed);
  owner.start_time.store(self.start_time, std::memory_order_relaxed);
  owner.pid_namespace.store(self.pid_namespace, std::memory_order_relaxed);
  owner.exec_mark.store(self.exec_mark, std::memory_order_relaxed);
  for (uint32_t i = 0; i < sizeof(self.command); ++i) owner.command[i] = self.command[i];
  ForgetWork(page.slots[slot]);
  page.slots[slot].tells_over.store(generation + 1, std::memory_order_relaxed);
  RaiseCeiling(IsMemory(slot) ? page.memory_ceiling : page.slot_ceiling, slot);
  if (!owner.generation.compare_exchange_strong(generation, generation + 1)) return 0;
  return generation + 1;
}

}  // namespace warpshare::ledger
