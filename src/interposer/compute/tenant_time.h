// The GPU time that the other processes of a tenant were charged for.
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"
#include "interposer/compute/timing.h"

namespace warpshare::interposer {

// More processes than these share no card in earnest, and a lap is not to look at them all.
inline constexpr uint32_t kMostSlots = 64;

// Whether the tenant has had several processes, and not too many to look at.
inline bool HasCompany(const abi::UsagePageV1& usage) {
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  return ceiling >= 2 && ceiling <= kMostSlots;
}

// Charged to all processes of the tenant that there ever were; 0: one only, or too many to look at.
inline uint64_t TenantUsedNs(const abi::UsagePageV1& usage, uint32_t card) {
  if (!HasCompany(usage)) return 0;
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  uint64_t sum_ns = 0;
  for (uint32_t slot = 0; slot < ceiling; ++slot)
    sum_ns += usage.slots[slot].work[card].used_ns.load(std::memory_order_relaxed);
  return sum_ns;
}

// Of that, to the others than the one that writes `own`.
inline uint64_t OthersOf(uint64_t tenant_ns, const abi::CardWorkV1& own) {
  const uint64_t own_ns = own.used_ns.load(std::memory_order_relaxed);
  return tenant_ns > own_ns ? tenant_ns - own_ns : 0;
}

// Whether one of these has had work since then, as it expected.
inline bool HaveOthersWorkedSince(const abi::UsagePageV1& usage, uint32_t card,
                                  const abi::CardWorkV1& own, uint64_t since_ns) {
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  for (uint32_t slot = 0; slot < ceiling && slot < kMostSlots; ++slot) {
    const abi::CardWorkV1& work = usage.slots[slot].work[card];
    if (&work != &own && work.busy_until_ns.load(std::memory_order_relaxed) > since_ns) return true;
  }
  return false;
}

// Whether all that have had work since then, as they expected, tell what of it is over: those of a
// program begun under an older version do not.
inline bool DoAllTellOver(const abi::UsagePageV1& usage, uint32_t card, uint64_t since_ns) {
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < ceiling && i < kMostSlots; ++i) {
    const abi::SlotV1& slot = usage.slots[i];
    const uint64_t generation = slot.owner.generation.load(std::memory_order_relaxed);
    const bool tells = slot.tells_over.load(std::memory_order_relaxed) == generation;
    const bool is_taken = (generation & 1) != 0;
    if (is_taken && !tells &&
        slot.work[card].busy_until_ns.load(std::memory_order_relaxed) > since_ns)
      return false;
  }
  return true;
}

// What these had in flight at `at_ns`, which is perhaps over by now. Ends are expected ones: who
// should have ended a short while ago may be at it still, for `each_ns`.
inline uint64_t OthersAheadNs(const abi::UsagePageV1& usage, uint32_t card,
                              const abi::CardWorkV1& own, uint64_t at_ns, uint64_t each_ns) {
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  uint64_t end_ns = 0;
  uint64_t least_ns = 0;
  for (uint32_t slot = 0; slot < ceiling && slot < kMostSlots; ++slot) {
    const abi::CardWorkV1& work = usage.slots[slot].work[card];
    const uint64_t slot_end_ns = work.busy_until_ns.load(std::memory_order_relaxed);
    if (&work == &own || slot_end_ns + kNearNs <= at_ns) continue;
    least_ns += each_ns;
    if (slot_end_ns > end_ns) end_ns = slot_end_ns;
  }
  return end_ns > at_ns + least_ns ? end_ns - at_ns : least_ns;
}

}  // namespace warpshare::interposer
