// A card as the hot loops see it: 32 bytes, amounts that are free now, and small numbers in place
// of names. The ledger writes; a node's cards lie next to each other.
//
// Free amounts are signed: what a node reports is held even where it is more than the card has, and
// then nothing fits until it is gone.
#pragma once

#include <cstdint>

namespace warpshare::place {

using NodeId = uint32_t;
using CardId = uint32_t;

inline constexpr uint32_t kWholeCores = 100;    // percent of a card's time
inline constexpr uint32_t kLevels = 100;        // of a card, in which its waste is tabulated
inline constexpr uint32_t kMilliPerLevel = 10;  // thousandths of a card
inline constexpr uint32_t kMaxCardsPerNode = 64;

struct Card {
  uint64_t memory_total = 0;
  int64_t memory_free = 0;
  int16_t cores_free = kWholeCores;  // not promised to anybody
  int16_t slots_free = 0;
  uint16_t tenants = 0;  // containers on it
  uint16_t unpromised =
      0;              // of these, without cores of their own; one percent is kept for them all
  uint16_t kind = 0;  // cards with the same memory_total
  uint16_t model = 0;
  uint8_t level = kLevels;  // of free memory, rounded down
  bool healthy = true;

  bool operator==(const Card&) const = default;
};
static_assert(sizeof(Card) == 32);

// What a container needs of a card of one kind.
struct CardNeed {
  int64_t memory = 0;
  int16_t cores = 0;  // 0: none of its own
  bool whole = false;
  uint8_t level = 0;  // of memory, rounded up

  bool operator==(const CardNeed&) const = default;
};

// What is held of a card, or would be.
struct CardHold {
  int64_t memory = 0;
  int16_t cores = 0;
  int16_t slots = 0;
  uint16_t unpromised = 0;

  bool operator==(const CardHold&) const = default;
};

inline CardHold HoldOf(const CardNeed& need) {
  return {.memory = need.memory,
          .cores = need.cores,
          .slots = 1,
          .unpromised = static_cast<uint16_t>(need.cores == 0 ? 1 : 0)};
}

inline bool CoresFit(const Card& card, const CardNeed& need) {
  const bool is_shared = card.unpromised > 0;
  return need.cores == 0 ? is_shared || card.cores_free > 0
                         : need.cores <= card.cores_free - static_cast<int>(is_shared);
}

// Amounts only; whether it is a card that the pod may have is the shape's to say.
inline bool Fits(const Card& card, const CardNeed& need) {
  if (!card.healthy || card.slots_free <= 0 || need.memory > card.memory_free) return false;
  return CoresFit(card, need) && !(need.whole && card.tenants > 0);
}

// Percent of the card that is left for a container that wants memory and cores alike.
inline uint32_t FreeLevel(const Card& card) {
  const uint32_t cores = card.cores_free < 0 ? 0 : static_cast<uint32_t>(card.cores_free);
  return card.level < cores ? card.level : cores;
}

uint8_t LevelOf(int64_t memory, uint64_t memory_total);    // rounded down, 0 for what is negative
uint8_t LevelUpOf(int64_t memory, uint64_t memory_total);  // rounded up, at most kLevels

// Takes it from the card, or with `times` -1 gives it back. Amounts stop at the edges of their
// numbers (saturate.h).
void Take(Card& card, const CardHold& hold, int times = 1);

// More was taken from it than its numbers hold, so that giving back would not lead to where it was.
bool IsInexact(const Card& card);

}  // namespace warpshare::place
