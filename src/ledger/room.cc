#include "ledger/room.h"

#include "ledger/slot_table.h"
#include "ledger/words.h"

namespace warpshare::ledger {

uint64_t RoomBytes(const abi::UsagePageV1& page, uint32_t card) {
  if (page.cards[card].rooms.load() == 0) return 0;
  uint64_t sum = 0;
  for (uint32_t slot = 0; slot < SlotCeiling(page); ++slot) {
    const uint64_t bytes = page.slots[slot].room_bytes[card].load();
    // More than any card: garbage, or withdrawn from a slot that it was not announced in.
    if (bytes > kMaxBytes || !IsTaken(page.slots[slot].owner.generation.load())) continue;
    sum += bytes;
  }
  return sum;
}

}  // namespace warpshare::ledger
