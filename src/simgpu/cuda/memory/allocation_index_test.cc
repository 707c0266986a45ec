#include "simgpu/cuda/memory/allocation_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace simgpu::cuda {
namespace {

Allocation Range(uintptr_t base, size_t bytes) { return {.base = base, .bytes = bytes}; }

TEST(AllocationIndex, FindsTheRangeThatHoldsAnAddress) {
  AllocationIndex index;
  const uintptr_t base = 0x7f0000000000;
  ASSERT_TRUE(index.Insert(Range(base, 100)));
  ASSERT_TRUE(index.Insert(Range(base + 512, 4096)));
  ASSERT_TRUE(index.Insert(Range(base + (8u << 20), 64u << 20)));
  EXPECT_EQ(index.Find(base)->base, base);
  EXPECT_EQ(index.Find(base + 99)->base, base);
  EXPECT_EQ(index.Find(base + 100), nullptr);
  EXPECT_EQ(index.Find(base + 511), nullptr);
  EXPECT_EQ(index.Find(base + 4607)->base, base + 512);
  EXPECT_EQ(index.Find(base + 4608), nullptr);
  EXPECT_EQ(index.Find(base + (72u << 20) - 1)->base, base + (8u << 20));
  EXPECT_EQ(index.Find(base + (72u << 20)), nullptr);
  EXPECT_EQ(index.Find(0), nullptr);
}

TEST(AllocationIndex, RefusesRangesThatOverlap) {
  AllocationIndex index;
  const uintptr_t base = 0x500000000000;
  ASSERT_TRUE(index.Insert(Range(base + 4096, 4096)));
  EXPECT_FALSE(index.Insert(Range(base + 4096, 1)));
  EXPECT_FALSE(index.Insert(Range(base, 4097)));
  EXPECT_FALSE(index.Insert(Range(base + 1, 3 << 20)));  // unaligned, over it
  EXPECT_FALSE(index.Insert(Range(base + 8191, 100)));
  EXPECT_FALSE(index.Insert(Range(base, 0)));
  EXPECT_TRUE(index.Insert(Range(base, 4096)));
  EXPECT_TRUE(index.Insert(Range(base + 8192, 4 << 20)));
  EXPECT_FALSE(index.Insert(Range(base + 8191, 8 << 20)));
  EXPECT_EQ(index.size(), 3u);
}

TEST(AllocationIndex, ErasesByBaseAddressOnly) {
  AllocationIndex index;
  const uintptr_t base = 0x600000000200;
  ASSERT_TRUE(index.Insert(Range(base, 1024)));
  Allocation taken;
  EXPECT_FALSE(index.Erase(base + 512, &taken));
  EXPECT_TRUE(index.Erase(base, &taken));
  EXPECT_EQ(taken.bytes, 1024u);
  EXPECT_FALSE(index.Erase(base, &taken));
  EXPECT_EQ(index.Find(base), nullptr);
}

TEST(AllocationIndex, AgreesWithASortedMapUnderRandomUse) {
  AllocationIndex index;
  std::map<uintptr_t, size_t> model;
  std::mt19937_64 random(20240607);
  const uintptr_t arena = 0x400000000000;
  for (int step = 0; step < 20000; step++) {
    const uintptr_t base = arena + random() % (16u << 20) / 512 * 512;
    const size_t bytes = random() % 5000 + 1;
    const auto next = model.lower_bound(base);
    const bool clear =
        (next == model.end() || next->first >= base + bytes) &&
        (next == model.begin() || std::prev(next)->first + std::prev(next)->second <= base);
    if (clear) {
      ASSERT_TRUE(index.Insert(Range(base, bytes)));
      model[base] = bytes;
    }
    const uintptr_t probe = arena + random() % (17u << 20);
    const auto after = model.upper_bound(probe);
    const bool held =
        after != model.begin() && probe - std::prev(after)->first < std::prev(after)->second;
    ASSERT_EQ(index.Find(probe) != nullptr, held);
    if (held && random() % 2 == 0) {
      const uintptr_t start = std::prev(after)->first;
      ASSERT_TRUE(index.Erase(start, nullptr));
      model.erase(start);
    }
    ASSERT_EQ(index.size(), model.size());
  }
}

TEST(AllocationIndex, VisitsEveryRangeOnce) {
  AllocationIndex index;
  size_t expected = 0;
  for (uintptr_t at = 0x100000; at < 0x900000; at += 0x10000) {
    ASSERT_TRUE(index.Insert(Range(at, 0x1000)));
    expected++;
  }
  ASSERT_TRUE(index.Insert(Range(0x10000000, 64 << 20)));
  size_t seen = 0;
  index.ForEach([&](const Allocation&) { seen++; });
  EXPECT_EQ(seen, expected + 1);
}

}  // namespace
}  // namespace simgpu::cuda
