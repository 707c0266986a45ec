#include "interposer/compute/work.h"

#include <gtest/gtest.h>

#include <set>

namespace warpshare::interposer {
namespace {

using work::Move;
using work::Path;

const void* Function(uint64_t address) { return reinterpret_cast<const void*>(address); }

constexpr uint64_t kGiB = uint64_t{1} << 30;

TEST(WorkTest, ALaunchOfTheSameShapeHasTheSameName) {
  const auto shape = work::ShapeOf(8, 4, 2, 256, 1024);
  EXPECT_EQ(work::Kernel(Function(0x1000), shape).name,
            work::Kernel(Function(0x1000), work::ShapeOf(64, 1, 1, 256, 1024)).name);
}

TEST(WorkTest, FunctionsAndShapesHaveNamesOfTheirOwn) {
  const std::set<uint64_t> names = {
      work::Kernel(Function(0x1000), work::ShapeOf(8, 1, 1, 256, 0)).name,
      work::Kernel(Function(0x1010), work::ShapeOf(8, 1, 1, 256, 0)).name,
      work::Kernel(Function(0x1000), work::ShapeOf(9, 1, 1, 256, 0)).name,
      work::Kernel(Function(0x1000), work::ShapeOf(8, 1, 1, 257, 0)).name,
      work::Kernel(Function(0x1000), work::ShapeOf(8, 1, 1, 256, 16)).name,
      work::Graph(reinterpret_cast<CUgraphExec>(0x1000)).name,
  };
  EXPECT_EQ(names.size(), 6u);
}

TEST(WorkTest, AGridBeyond32BitsIsCountedWhole) {
  EXPECT_EQ(work::ShapeOf(0x7fffffff, 65535, 65535, 1, 0).grid,
            uint64_t{0x7fffffff} * 65535 * 65535);
}

TEST(WorkTest, NoNameIsZeroWhichMeansAFreePlace) {
  EXPECT_NE(work::Kernel(nullptr, {}).name, 0u);
  EXPECT_NE(work::Graph(nullptr).name, 0u);
  EXPECT_NE(Move(Path::kHost, 0, 0).name, 0u);
}

TEST(WorkTest, SizesWithinAnEighthOfAnOctaveHaveOneName) {
  for (const uint64_t octave : {uint64_t{64}, uint64_t{4096}, kGiB, 64 * kGiB}) {
    const uint64_t step = octave / 8;
    for (uint64_t eighth = 0; eighth < 8; ++eighth) {
      const uint64_t first = octave + eighth * step;
      EXPECT_EQ(Move(Path::kHost, first, 0).name, Move(Path::kHost, first + step - 1, 0).name);
      EXPECT_NE(Move(Path::kHost, first - 1, 0).name, Move(Path::kHost, first, 0).name);
    }
  }
}

TEST(WorkTest, AnyTwoEighthsHaveNamesOfTheirOwn) {
  std::set<uint64_t> names;
  size_t eighths = 0;
  for (uint64_t octave = 8; octave <= 256 * kGiB; octave *= 2) {
    for (uint64_t eighth = 0; eighth < 8; ++eighth, ++eighths)
      names.insert(Move(Path::kCard, octave + eighth * octave / 8, 1).name);
  }
  EXPECT_EQ(names.size(), eighths);
}

TEST(WorkTest, TheSameBytesOnAnotherWayHaveAnotherName) {
  const std::set<uint64_t> names = {Move(Path::kHost, 4096, 0).name,
                                    Move(Path::kCard, 4096, 0).name,
                                    Move(Path::kHost, 4096, 2).name};
  EXPECT_EQ(names.size(), 3u);
}

TEST(WorkTest, GuessesGrowWithTheBytes) {
  EXPECT_GT(Move(Path::kHost, 0, 0).guess_ns, 0u);
  EXPECT_NEAR(static_cast<double>(Move(Path::kHost, 10'000'000, 0).guess_ns), 1e6, 1e5);
  EXPECT_LT(Move(Path::kCard, kGiB, 0).guess_ns, Move(Path::kHost, kGiB, 0).guess_ns);
}

TEST(WorkTest, LikeNamesSpreadOverTheTable) {
  // As handles of one program lie: the table's home is the top 12 bits.
  std::set<uint64_t> homes;
  for (uint64_t i = 0; i < 512; ++i) {
    homes.insert(
        work::Kernel(Function(0x5555'0000 + i * 64), work::ShapeOf(1, 1, 1, 128, 0)).name >> 52);
  }
  EXPECT_GT(homes.size(), 400u);
}

}  // namespace
}  // namespace warpshare::interposer
