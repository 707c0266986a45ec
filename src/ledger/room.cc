#include "ledger/room.h"

#include "ledger/slot_table.h"
#include "ledger/words.h"

namespace warpshare::ledger {

namespace {

// More than any card: garbage, or withdrawn from a slot that it was not announced in.
constexpr uint64_t kMostRoom = kMaxBytes / 2;

// The card's word counts how often it was asked, and whoever announces any since raises it.
Room NoRoomSince(uint64_t word) { return {.bytes = 0, .moment = ~WithRooms(word, Rooms::kNone)}; }

Room SumOfRooms(const abi::UsagePageV1& page, uint32_t card) {
  Room sum{.bytes = 0, .moment = 0};
  for (uint32_t slot = 0; slot < SlotCeiling(page); ++slot) {
    const uint64_t word = page.slots[slot].room[card].load();
    if (!IsTaken(page.slots[slot].owner.generation.load())) continue;
    sum.moment += word / kOneAnnounced;
    const uint64_t bytes = word % kOneAnnounced;
    if (bytes <= kMostRoom) sum.bytes += bytes;
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

bool EndToAsk(std::atomic<uint64_t>& rooms, uint64_t asking, uint64_t sum) {
  if (asking == kNotAsking) return false;
  const uint64_t word = WithRooms(asking, sum == 0 ? Rooms::kNone : Rooms::kSome);
  return rooms.compare_exchange_strong(asking, word) && sum == 0;
}

Room LookForRoom(abi::UsagePageV1& page, uint32_t card) {
  std::atomic<uint64_t>& rooms = page.cards[card].rooms;
  const uint64_t word = rooms.load();
  if (RoomsOf(word) == Rooms::kNone) return NoRoomSince(word);
  const uint64_t asking = BeginToAsk(rooms);
  const Room room = SumOfRooms(page, card);
  return EndToAsk(rooms, asking, room.bytes) ? NoRoomSince(asking) : room;
}

}  // namespace warpshare::ledger
