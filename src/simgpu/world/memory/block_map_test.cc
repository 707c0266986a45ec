#include "simgpu/world/memory/block_map.h"

#include <gtest/gtest.h>

#include <random>

namespace simgpu::world {
namespace {

TEST(BlockMap, FindsRunsAcrossWords) {
  Word bits[3] = {};
  bits[0].store(~uint64_t{0} >> 4);  // blocks 60 to 63 free
  bits[1].store(~uint64_t{0xff});    // 64 to 71 free
  EXPECT_EQ(FindFreeRun(bits, 0, 192, 12), 60u);
  EXPECT_EQ(FindFreeRun(bits, 0, 192, 13), 128u);
  EXPECT_EQ(FindFreeRun(bits, 0, 192, 64), 128u);
  EXPECT_EQ(FindFreeRun(bits, 0, 192, 65), std::nullopt);
  EXPECT_EQ(FindFreeRun(bits, 0, 130, 3), 60u);
  EXPECT_EQ(FindFreeRun(bits, 70, 130, 3), std::nullopt);
  EXPECT_EQ(NextTaken(bits, 60, 192), 72u);
  EXPECT_EQ(NextTaken(bits, 128, 192), 192u);
}

TEST(BlockMap, AgreesWithASimpleSearch) {
  std::mt19937 random(20240817);
  for (int round = 0; round < 2000; ++round) {
    Word bits[4] = {};
    bool taken[256] = {};
    const unsigned density = 1 + random() % 20;
    for (int i = 0; i < 256; ++i) {
      taken[i] = random() % density == 0;
      if (taken[i]) bits[i / 64].fetch_or(uint64_t{1} << (i % 64));
    }
    const uint64_t from = random() % 256;
    const uint64_t count = 1 + random() % 80;
    std::optional<uint64_t> expected;
    for (uint64_t start = from; start + count <= 256 && !expected; ++start) {
      bool free = true;
      for (uint64_t i = start; i < start + count; ++i) free = free && !taken[i];
      if (free) expected = start;
    }
    ASSERT_EQ(FindFreeRun(bits, from, 256, count), expected) << "round " << round;
  }
}

}  // namespace
}  // namespace simgpu::world
