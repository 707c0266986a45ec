#include "simgpu/cuda/device/visible.h"

#include <gtest/gtest.h>

namespace simgpu::cuda {
namespace {

using world::CardSpec;

std::vector<CardSpec> ThreeCards() {
  std::vector<CardSpec> cards(3);
  cards[0].uuid = {0xaa, 0x00};
  cards[1].uuid = {0xaa, 0x11};
  cards[2].uuid = {0xbb, 0x22};
  return cards;
}

std::vector<int> Parse(const char* text) { return ParseVisibleDevices(text, ThreeCards()); }

using Cards = std::vector<int>;

TEST(VisibleDevices, TakesIndicesInTheirOrder) {
  EXPECT_EQ(Parse("0,1,2"), (Cards{0, 1, 2}));
  EXPECT_EQ(Parse("2,0"), (Cards{2, 0}));
  EXPECT_EQ(Parse(" 1"), (Cards{1}));
}

TEST(VisibleDevices, EmptyMeansNone) { EXPECT_EQ(Parse(""), Cards{}); }

TEST(VisibleDevices, EndsBeforeTheFirstThatIsNoCard) {
  EXPECT_EQ(Parse("0,-1,1"), (Cards{0}));
  EXPECT_EQ(Parse("1,7,0"), (Cards{1}));
  EXPECT_EQ(Parse("-1"), Cards{});
  EXPECT_EQ(Parse("1,,0"), (Cards{1}));
  EXPECT_EQ(Parse("void"), Cards{});
  EXPECT_EQ(Parse("99999999999999999999"), Cards{});
}

TEST(VisibleDevices, ReadsLeadingDigitsLikeTheDriver) { EXPECT_EQ(Parse("1x,2"), (Cards{1, 2})); }

TEST(VisibleDevices, NamedTwiceMakesItEmpty) {
  EXPECT_EQ(Parse("0,1,0"), Cards{});
  EXPECT_EQ(Parse("GPU-bb,GPU-bb"), Cards{});
}

TEST(VisibleDevices, TakesUuidsAndTheirBeginnings) {
  EXPECT_EQ(Parse(world::UuidText(ThreeCards()[1].uuid).c_str()), (Cards{1}));
  EXPECT_EQ(Parse("GPU-bb"), (Cards{2}));
  EXPECT_EQ(Parse("GPU-bb,GPU-aa11"), (Cards{2, 1}));
}

TEST(VisibleDevices, AmbiguousOrForeignUuidsEndTheList) {
  EXPECT_EQ(Parse("GPU-bb,GPU-aa"), (Cards{2}));
  EXPECT_EQ(Parse("GPU-cc"), Cards{});
  EXPECT_EQ(Parse("GPU-bb,1"), (Cards{2}));
  EXPECT_EQ(Parse("1,GPU-bb"), (Cards{1}));
  EXPECT_EQ(Parse("MIG-GPU-bb"), Cards{});
}

}  // namespace
}  // namespace simgpu::cuda
