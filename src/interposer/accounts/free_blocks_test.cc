#include "interposer/accounts/free_blocks.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

constexpr uint64_t kStream = 0x5000;

TEST(FreeBlocksTest, ABlockIsTakenOnce) {
  FreeBlocks blocks;
  blocks.Add(4096, kStream);
  EXPECT_TRUE(blocks.Take(4096, kStream));
  EXPECT_FALSE(blocks.Take(4096, kStream));
}

TEST(FreeBlocksTest, AsManyAreTakenAsWereFreed) {
  FreeBlocks blocks;
  blocks.Add(4096, kStream);
  blocks.Add(4096, kStream);
  EXPECT_TRUE(blocks.Take(4096, kStream));
  EXPECT_TRUE(blocks.Take(4096, kStream));
  EXPECT_FALSE(blocks.Take(4096, kStream));
}

TEST(FreeBlocksTest, AnotherSizeAndAnotherStreamHaveNone) {
  FreeBlocks blocks;
  blocks.Add(4096, kStream);
  EXPECT_FALSE(blocks.Take(2048, kStream));
  EXPECT_FALSE(blocks.Take(4096, kStream + 0x100));
}

TEST(FreeBlocksTest, NoneIsLeftAfterClear) {
  FreeBlocks blocks;
  blocks.Add(4096, kStream);
  blocks.Clear();
  EXPECT_FALSE(blocks.Take(4096, kStream));
}

TEST(FreeBlocksTest, ThousandsOfSizesNeverGiveOneThatWasNotFreed) {
  FreeBlocks blocks;
  for (uint64_t bytes = 1; bytes < 10'000; ++bytes) blocks.Add(2 * bytes, kStream);
  for (uint64_t bytes = 1; bytes < 10'000; ++bytes)
    EXPECT_FALSE(blocks.Take(2 * bytes + 1, kStream));
}

}  // namespace
}  // namespace warpshare::interposer
