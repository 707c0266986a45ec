#include "policy/admit/never_works.h"

#include <gtest/gtest.h>

#include "policy/request/warpshare_names.h"

namespace warpshare::admit {
namespace {

const Inventory kTwoNodes = {{{"NVIDIA A100", 80_GiB}, {"NVIDIA A100", 80_GiB}},
                             {{"NVIDIA T4", 16_GiB}}};

std::string Refusal(const request::TextMap& limits, const request::TextMap& annotations = {},
                    const Inventory& inventory = kTwoNodes, bool privileged = false) {
  const request::PodView pod{
      .annotations = annotations,
      .containers = {{.name = "main", .limits = limits, .privileged = privileged}}};
  const auto request = request::ParseWarpshareNames(pod);
  EXPECT_TRUE(request) << request.error().message;
  const auto error = NeverWorks(pod, *request, inventory);
  return error ? error->message : "";
}

TEST(NeverWorks, WhatFitsAnEmptyClusterIsLetIn) {
  EXPECT_EQ(Refusal({{"warpshare.io/gpu-memory", "81920"}}), "");
  EXPECT_EQ(Refusal({{"warpshare.io/gpu", "2"}}), "");
  EXPECT_EQ(Refusal({{"cpu", "1"}}), "");
}

TEST(NeverWorks, MoreMemoryThanAnyCardThatItMayHaveIsRefused) {
  EXPECT_EQ(
      Refusal({{"warpshare.io/gpu-memory", "81921"}}),
      "container main: asks for 81921MiB of a card, and the largest that it may have is 80GiB: "
      "ask for less, or for several cards");
  EXPECT_NE(Refusal({{"warpshare.io/gpu-memory", "20480"}}, {{"warpshare.io/use-gpu-model", "T4"}}),
            "");
}

TEST(NeverWorks, MoreCardsThanAnyNodeHasIsRefused) {
  EXPECT_EQ(
      Refusal({{"warpshare.io/gpu", "3"}}),
      "container main: asks for 3 cards, and no node has more than 2 that it may have: ask for "
      "fewer");
}

TEST(NeverWorks, AClusterThatMayGrowRefusesNothingForItsCards) {
  EXPECT_EQ(Refusal({{"warpshare.io/gpu", "3"}}, {}, {}), "");
  EXPECT_EQ(Refusal({{"warpshare.io/gpu", "3"}}, {{"warpshare.io/use-gpu-model", "H100"}}), "");
}

TEST(NeverWorks, APrivilegedContainerWithCardsIsRefused) {
  EXPECT_TRUE(Refusal({{"warpshare.io/gpu", "1"}}, {}, kTwoNodes, true)
                  .starts_with("container main: is privileged"));
  EXPECT_EQ(Refusal({{"cpu", "1"}}, {}, kTwoNodes, true), "");
}

}  // namespace
}  // namespace warpshare::admit
