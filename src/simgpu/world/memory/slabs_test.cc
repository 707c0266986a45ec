#include "simgpu/world/memory/slabs.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace simgpu::world {
namespace {

Extent SlabAt(uint32_t block, uint64_t bytes) {
  Extent extent;
  extent.card = 0;
  extent.block = block;
  extent.bytes = bytes;
  extent.span = bytes;
  return extent;
}

TEST(Slabs, HasAnAlignedObjectForEverySizeBelowTheLimit) {
  for (uint64_t bytes = 1; bytes < kSmallLimit; bytes += bytes < 20'000 ? 1 : 997) {
    Slabs slabs;
    slabs.Add(bytes, SlabAt(3, Slabs::SlabBytes(bytes)));
    const auto first = slabs.Take(bytes);
    const auto second = slabs.Take(bytes);
    ASSERT_TRUE(first && second) << bytes;
    ASSERT_GE(second->offset, first->offset + bytes);
    ASSERT_EQ(second->offset % kSmallAlignment, 0u);
    ASSERT_LE(second->offset - first->offset, bytes + bytes / 4 + kSmallAlignment) << bytes;
  }
}

TEST(Slabs, NeverHandsOutAByteTwice) {
  std::mt19937 random(7);
  Slabs slabs;
  uint32_t next_block = 0;
  std::map<uint64_t, uint64_t> live;  // window offset to bytes
  for (int i = 0; i < 50'000; ++i) {
    if (live.empty() || random() % 5 < 3) {
      const uint64_t bytes = 1 + random() % (random() % 2 == 0 ? 4096 : kSmallLimit - 1);
      auto object = slabs.Take(bytes);
      if (!object) {
        slabs.Add(bytes, SlabAt(next_block, Slabs::SlabBytes(bytes)));
        next_block += static_cast<uint32_t>(Slabs::SlabBytes(bytes) / kBlockBytes);
        object = slabs.Take(bytes);
      }
      const uint64_t offset = object->extent->block * kBlockBytes + object->offset;
      const auto after = live.lower_bound(offset);
      if (after != live.end()) {
        ASSERT_GE(after->first, offset + bytes);
      }
      if (after != live.begin()) {
        ASSERT_LE(std::prev(after)->first + std::prev(after)->second, offset);
      }
      live[offset] = bytes;
    } else {
      const auto victim = std::next(live.begin(), random() % live.size());
      std::optional<Extent> emptied;
      ASSERT_EQ(slabs.Find(victim->first + victim->second - 1)->bytes, victim->second);
      ASSERT_EQ(slabs.Put(victim->first, &emptied), victim->second);
      ASSERT_EQ(slabs.Put(victim->first, &emptied), std::nullopt);
      live.erase(victim);
    }
  }
}

TEST(Slabs, HandsBackEmptySlabsButOne) {
  Slabs slabs;
  std::vector<uint64_t> offsets;
  for (uint32_t block = 0; block < 3; ++block) {
    slabs.Add(512, SlabAt(block, kBlockBytes));
    for (int i = 0; i < 4096; ++i) offsets.push_back(block * kBlockBytes + slabs.Take(512)->offset);
  }
  EXPECT_FALSE(slabs.Take(512));
  int handed_back = 0;
  for (const uint64_t offset : offsets) {
    std::optional<Extent> emptied;
    slabs.Put(offset, &emptied);
    if (emptied) ++handed_back;
  }
  EXPECT_EQ(handed_back, 2);
}

}  // namespace
}  // namespace simgpu::world
