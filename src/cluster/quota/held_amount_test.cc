#include "cluster/quota/held_amount.h"

#include <gtest/gtest.h>

namespace warpshare::quota {
namespace {

const GpuUuid kA100 = *ParseGpuUuid("GPU-00000000-0000-0000-0000-000000000001");
const GpuUuid kT4 = *ParseGpuUuid("GPU-00000000-0000-0000-0000-000000000002");
const GpuUuid kGone = *ParseGpuUuid("GPU-00000000-0000-0000-0000-000000000003");
constexpr place::CardHold kQuarter{.memory = int64_t{4} << 30, .cores = 25, .slots = 1};

TEST(HeldAmount, CountsInAllAndByModel) {
  place::Ledger ledger;
  ledger.SetNode({.name = "n",
                  .cards = {{.uuid = kA100, .model = "NVIDIA A100", .memory = 80_GiB},
                            {.uuid = kT4, .model = "NVIDIA T4", .memory = 16_GiB}}});
  const auto amounts = AmountOf(
      {.node = "n", .cards = {{kA100, kQuarter}, {kT4, kQuarter}, {kGone, kQuarter}}}, ledger);
  ASSERT_EQ(amounts.size(), 3u);
  EXPECT_EQ(amounts.at(""), (admit::Amount{.cards = 3, .memory = 12_GiB, .cores_percent = 75}));
  EXPECT_EQ(amounts.at("NVIDIA T4"),
            (admit::Amount{.cards = 1, .memory = 4_GiB, .cores_percent = 25}));
}

TEST(HeldAmount, OfAPodWithoutCardsIsNothing) {
  EXPECT_TRUE(AmountOf({.node = "n"}, place::Ledger()).empty());
}

}  // namespace
}  // namespace warpshare::quota
