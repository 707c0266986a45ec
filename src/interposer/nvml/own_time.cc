#include "interposer/nvml/own_time.h"

#include "ledger/slot_table.h"

namespace warpshare::interposer {

// Charged is what is in flight, too; until when the card is at that, every process knows of all.
TimeLook LookAtTime(const abi::UsagePageV1& usage, uint32_t card, uint64_t now_ns) {
  uint64_t used_ns = 0;
  uint64_t end_ns = now_ns;
  for (uint32_t slot = 0; slot < ledger::SlotCeiling(usage); ++slot) {
    const abi::CardWorkV1& work = usage.slots[slot].work[card];
    used_ns += work.used_ns.load(std::memory_order_relaxed);
    const uint64_t until_ns = work.busy_until_ns.load(std::memory_order_relaxed);
    if (until_ns > end_ns) end_ns = until_ns;
  }
  const uint64_t ahead_ns = end_ns - now_ns;
  return {.at_ns = now_ns, .done_ns = ahead_ns < used_ns ? used_ns - ahead_ns : 0};
}

unsigned int PercentBetween(const TimeLook& from, const TimeLook& to) {
  const uint64_t passed_ns = to.at_ns - from.at_ns;
  const uint64_t done_ns = to.done_ns > from.done_ns ? to.done_ns - from.done_ns : 0;
  if (done_ns >= passed_ns) return done_ns == 0 ? 0 : 100;
  return static_cast<unsigned int>((done_ns * 100 + passed_ns / 2) / passed_ns);
}

}  // namespace warpshare::interposer
