// Room: bytes that a process holds while a call of the driver is in flight of which nobody knows
// what it will take, and which mostly go back when it is over. Who is refused meanwhile may be
// refused for nothing; so room is announced, and he can tell whether it is worth waiting for.
//
// An announcement comes before the bytes are reserved and is withdrawn after they were given back,
// so that it is never too small. It is a hint: no account depends on it, and a process that died
// leaves none, as only slots that are taken count.
//
// A slot's word counts its announcements above the bytes. So two looks that find the same prove
// that between them nothing was announced or withdrawn, and what is read between them goes with it.
//
// Announcing is what calls do all the time, asking is rare. So who announces only makes sure that a
// word of the card says that somebody may have; who asks and finds nobody takes that back.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::ledger {

// In the low bits of that word. Above them, how often it was asked: so who asks can tell that
// nobody else did meanwhile.
enum class Rooms : uint8_t {
  kNone = 0,
  kSome = 1,     // or there was some
  kCounted = 2,  // somebody asks; nobody has announced any since then
};
inline constexpr uint64_t kRoomsMask = 3;
inline constexpr uint64_t kOneAsking = kRoomsMask + 1;
constexpr Rooms RoomsOf(uint64_t word) { return static_cast<Rooms>(word & kRoomsMask); }
constexpr uint64_t WithRooms(uint64_t word, Rooms rooms) {
  return (word & ~kRoomsMask) | static_cast<uint64_t>(rooms);
}

[[gnu::cold]] void SayThereIsRoom(std::atomic<uint64_t>& rooms);

// That there is none is said in two steps, between which the slots are looked at. Whoever announces
// adds his bytes, then looks at the word: before the first step his bytes are seen, after it he
// raises the word again, so that the second fails. So it does if somebody else has asked since.
inline constexpr uint64_t kNotAsking = UINT64_MAX;  // somebody else does
uint64_t BeginToAsk(std::atomic<uint64_t>& rooms);
bool EndToAsk(std::atomic<uint64_t>& rooms, uint64_t asking, uint64_t sum);  // whether it is said

// A slot's word: bytes:44, two's complement; how often any was announced:20.
inline constexpr uint64_t kOneAnnounced = uint64_t{1} << 44;

// `slot` is the caller's. Any thread.
inline void AnnounceRoom(abi::UsagePageV1& page, uint32_t card, uint32_t slot, uint64_t bytes) {
  page.slots[slot].room[card].fetch_add(kOneAnnounced + bytes);
  std::atomic<uint64_t>& rooms = page.cards[card].rooms;
  if (RoomsOf(rooms.load()) != Rooms::kSome) [[unlikely]]
    SayThereIsRoom(rooms);
}
inline void WithdrawRoom(abi::UsagePageV1& page, uint32_t card, uint32_t slot, uint64_t bytes) {
  page.slots[slot].room[card].fetch_sub(bytes);
}

// What all processes together have announced.
struct Room {
  uint64_t bytes;
  uint64_t moment;  // differs if any was announced meanwhile
  bool operator==(const Room&) const = default;
};

// Where nobody has announced any since it was last asked, that is one look; else one at every slot
// that was ever taken.
Room LookForRoom(abi::UsagePageV1& page, uint32_t card);

}  // namespace warpshare::ledger
