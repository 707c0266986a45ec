#include "policy/place/card.h"

#include <algorithm>

namespace warpshare::place {

uint8_t LevelOf(int64_t memory, uint64_t memory_total) {
  if (memory <= 0 || memory_total == 0) return 0;
  const auto product = static_cast<unsigned __int128>(memory) * kLevels;
  return static_cast<uint8_t>(std::min<unsigned __int128>(product / memory_total, kLevels));
}

uint8_t LevelUpOf(int64_t memory, uint64_t memory_total) {
  if (memory <= 0 || memory_total == 0) return 0;
  const auto product = static_cast<unsigned __int128>(memory) * kLevels + memory_total - 1;
  return static_cast<uint8_t>(std::min<unsigned __int128>(product / memory_total, kLevels));
}

void Take(Card& card, const CardHold& hold, int times) {
  card.memory_free -= hold.memory * times;
  card.cores_free = static_cast<int16_t>(card.cores_free - hold.cores * times);
  card.slots_free = static_cast<int16_t>(card.slots_free - hold.slots * times);
  card.tenants = static_cast<uint16_t>(card.tenants + hold.slots * times);
  card.unpromised = static_cast<uint16_t>(card.unpromised + hold.unpromised * times);
  card.level = LevelOf(card.memory_free, card.memory_total);
}

}  // namespace warpshare::place
