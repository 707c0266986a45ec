// Room: bytes that a process holds while a call of the driver is in flight of which nobody knows
// what it will take, and which mostly go back when it is over. Who is refused meanwhile may be
// refused for nothing; so room is announced, and he can tell whether it is worth waiting for.
//
// An announcement comes before the bytes are reserved and is withdrawn after they were given back,
// so that it is never too small. It is a hint: no account depends on it, and a process that died
// leaves none, as only slots that are taken count.
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::ledger {

// `slot` is the caller's. Any thread.
inline void AnnounceRoom(abi::UsagePageV1& page, uint32_t card, uint32_t slot, uint64_t bytes) {
  page.cards[card].rooms.fetch_add(1);
  page.slots[slot].room_bytes[card].fetch_add(bytes);
}
inline void WithdrawRoom(abi::UsagePageV1& page, uint32_t card, uint32_t slot, uint64_t bytes) {
  page.slots[slot].room_bytes[card].fetch_sub(bytes);
  page.cards[card].rooms.fetch_sub(1);
}

// Announced by all processes together. Where nobody has announced any, which is nearly always,
// that is one look; else, or after somebody died in such a call, one at every slot that was ever
// taken.
uint64_t RoomBytes(const abi::UsagePageV1& page, uint32_t card);

}  // namespace warpshare::ledger
