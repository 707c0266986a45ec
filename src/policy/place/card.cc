#include "policy/place/card.h"

#include <algorithm>

#include "policy/place/saturate.h"

namespace warpshare::place {

uint8_t LevelOf(int64_t memory, uint64_t memory_total) {
  if (memory <= 0 || memory_total == 0) return 0;
  if (memory <= INT64_MAX / kLevels)
    return static_cast<uint8_t>(
        std::min<uint64_t>(static_cast<uint64_t>(memory) * kLevels / memory_total, kLevels));
  const auto product = static_cast<unsigned __int128>(memory) * kLevels;
  return static_cast<uint8_t>(std::min<unsigned __int128>(product / memory_total, kLevels));
}

uint8_t LevelUpOf(int64_t memory, uint64_t memory_total) {
  if (memory <= 0 || memory_total == 0) return 0;
  const auto product = static_cast<unsigned __int128>(memory) * kLevels + memory_total - 1;
  return static_cast<uint8_t>(std::min<unsigned __int128>(product / memory_total, kLevels));
}

void Take(Card& card, const CardHold& hold, int times) {
  card.memory_free = Plus(card.memory_free, hold.memory, -times);
  card.cores_free = Plus(card.cores_free, hold.cores, -times);
  card.slots_free = Plus(card.slots_free, hold.slots, -times);
  card.tenants = Plus(card.tenants, hold.slots, times);
  card.unpromised = Plus(card.unpromised, hold.unpromised, times);
  card.level = LevelOf(card.memory_free, card.memory_total);
}

bool IsInexact(const Card& card) {
  return IsAtEdge(card.memory_free) || IsAtEdge(card.cores_free) || IsAtEdge(card.slots_free) ||
         IsAtEdge(card.tenants) || IsAtEdge(card.unpromised);
}

}  // namespace warpshare::place
