#include "ledger/room.h"

#include "ledger/slot_table.h"
#include "ledger/words.h"

namespace warpshare::ledger {

namespace {

uint64_t SumOfRooms(const abi::UsagePageV1& page, uint32_t card) {
  uint64_t sum = 0;
  for (uint32_t slot = 0; slot < SlotCeiling(page); ++slot) {
    const uint64_t bytes = page.slots[slot].room_bytes[card].load();
    // More than any card: garbage, or withdrawn from a slot that it was not announced in.
    if (bytes > kMaxBytes || !IsTaken(page.slots[slot].owner.generation.load())) continue;
    sum += bytes;
  }
  return sum;
}

}  // namespace

void SayThereIsRoom(std::atomic<uint64_t>& rooms) {
  uint64_t word = rooms.load();
  while (RoomsOf(word) != Rooms::kSome &&
         !rooms.compare_exchange_weak(word, WithRooms(word, Rooms::kSome))) {
  }
}

uint64_t BeginToAsk(std::atomic<uint64_t>& rooms) {
  uint64_t word = rooms.load();
  const uint64_t asking = WithRooms(word + kOneAsking, Rooms::kCounted);
  const bool is_first = RoomsOf(word) == Rooms::kSome;
  return is_first && rooms.compare_exchange_strong(word, asking) ? asking : kNotAsking;
}

void EndToAsk(std::atomic<uint64_t>& rooms, uint64_t asking, uint64_t sum) {
  if (asking == kNotAsking) return;
  const uint64_t word = WithRooms(asking, sum == 0 ? Rooms::kNone : Rooms::kSome);
  rooms.compare_exchange_strong(asking, word);
}

uint64_t RoomBytes(abi::UsagePageV1& page, uint32_t card) {
  std::atomic<uint64_t>& rooms = page.cards[card].rooms;
  if (RoomsOf(rooms.load()) == Rooms::kNone) return 0;
  const uint64_t asking = BeginToAsk(rooms);
  const uint64_t sum = SumOfRooms(page, card);
  EndToAsk(rooms, asking, sum);
  return sum;
}

}  // namespace warpshare::ledger
