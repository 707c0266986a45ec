// The GPU time that the other processes of a tenant were charged for.
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::interposer {

// More processes than these share no card in earnest, and a lap is not to look at them all.
inline constexpr uint32_t kMostSlots = 64;

// Charged to all processes of the tenant that there ever were; 0: one only, or too many to look at.
inline uint64_t TenantUsedNs(const abi::UsagePageV1& usage, uint32_t card) {
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  if (ceiling < 2 || ceiling > kMostSlots) return 0;
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

// When the card is expected to be done with what these have in flight; 0: nothing is known.
inline uint64_t OthersEndNs(const abi::UsagePageV1& usage, uint32_t card,
                            const abi::CardWorkV1& own) {
  const uint32_t ceiling = usage.slot_ceiling.load(std::memory_order_relaxed);
  uint64_t end_ns = 0;
  for (uint32_t slot = 0; slot < ceiling && slot < kMostSlots; ++slot) {
    const abi::CardWorkV1& work = usage.slots[slot].work[card];
    const uint64_t slot_end_ns = work.busy_until_ns.load(std::memory_order_relaxed);
    if (&work != &own && slot_end_ns > end_ns) end_ns = slot_end_ns;
  }
  return end_ns;
}

}  // namespace warpshare::interposer
