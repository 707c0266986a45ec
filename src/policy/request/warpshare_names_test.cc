#include "policy/request/warpshare_names.h"

#include <gtest/gtest.h>

namespace warpshare::request {
namespace {

constexpr char kUuid[] = "GPU-00000000-0000-0000-0000-000000000001";

PodView Pod(TextMap limits, TextMap annotations = {}) {
  return {.namespace_name = "team",
          .name = "pod",
          .uid = "u",
          .annotations = std::move(annotations),
          .containers = {{.name = "main", .limits = std::move(limits)}}};
}

ContainerRequest Only(const PodView& pod) {
  const auto request = ParseWarpshareNames(pod);
  EXPECT_TRUE(request) << request.error().message;
  return request ? request->containers.at(0) : ContainerRequest{};
}

ContainerRequest Main(ContainerRequest request) {
  request.name = "main";
  return request;
}

TEST(WarpshareNames, AResourceIsOfEachCard) {
  EXPECT_EQ(Only(Pod({{"warpshare.io/gpu", "2"},
                      {"warpshare.io/gpu-memory", "4096"},
                      {"warpshare.io/gpu-cores", "30"}})),
            Main({.cards = 2,
                  .memory = MemoryAmount::Of(4_GiB),
                  .cores_percent = 30,
                  .compute = {.mode = share::Mode::kHard}}));
}

TEST(WarpshareNames, MemoryAloneIsOneCardSharedByWeight) {
  EXPECT_EQ(Only(Pod({{"warpshare.io/gpu-memory-percent", "25"}})),
            Main({.cards = 1, .memory = MemoryAmount::Share(2'500), .compute = {}}));
}

TEST(WarpshareNames, CoresAloneTakeAllOfTheMemory) {
  EXPECT_EQ(Only(Pod({{"warpshare.io/gpu-cores", "50"}})),
            Main({.cards = 1, .cores_percent = 50, .compute = {.mode = share::Mode::kHard}}));
}

TEST(WarpshareNames, CardsAloneAreWholeCards) {
  const ContainerRequest whole =
      Main({.cards = 2, .cores_percent = 100, .whole = true, .compute = {}});
  EXPECT_EQ(Only(Pod({{"warpshare.io/gpu", "2"}})), whole);
  EXPECT_EQ(Only(Pod({{"nvidia.com/gpu", "2"}})), whole);
}

TEST(WarpshareNames, PlainCardsAreForNvidiasPluginWhateverAssignmentThePodCarries) {
  EXPECT_TRUE(IsForNvidiasPlugin(Pod({{"nvidia.com/gpu", "1"}, {"cpu", "2"}})));
  EXPECT_FALSE(IsForNvidiasPlugin(Pod({{"cpu", "2"}})));
  EXPECT_FALSE(IsForNvidiasPlugin(Pod({{"nvidia.com/gpu", "1"}, {"warpshare.io/gpu", "1"}})));
  PodView given = Pod({{"nvidia.com/gpu", "1"}});
  given.annotations["warpshare.io/assignment"] = "v1;n1";
  EXPECT_TRUE(IsForNvidiasPlugin(given));
  EXPECT_FALSE(WantsCards(*ParseWarpshareNames(WithoutNvidiasCards(given))));
}

TEST(WarpshareNames, NoCardIsNoRequest) {
  const auto request = ParseWarpshareNames(Pod({{"cpu", "2"}}));
  ASSERT_TRUE(request);
  EXPECT_FALSE(WantsCards(*request));
  EXPECT_EQ(request->host.cpu_milli, 2'000u);
}

TEST(WarpshareNames, AnnotationsSayHowTimeIsShared) {
  const TextMap memory = {{"warpshare.io/gpu-memory", "1024"}};
  const TextMap cores = {{"warpshare.io/gpu-cores", "20"}};
  const struct {
    TextMap limits;
    TextMap annotations;
    Compute compute;
  } table[] = {
      {cores, {{"warpshare.io/compute-policy", "soft"}}, {.mode = share::Mode::kSoft}},
      {memory,
       {{"warpshare.io/compute-policy", "weighted"}, {"warpshare.io/compute-weight", "4"}},
       {.mode = share::Mode::kWeighted, .weight = 4}},
      {memory,
       {{"warpshare.io/priority", "high"}},
       {.mode = share::Mode::kPriority, .priority = share::Priority::kHigh}},
      {memory, {{"warpshare.io/compute-policy", "priority"}}, {.mode = share::Mode::kPriority}},
      {cores, {{"warpshare.io/compute-weight", "4"}}, {.mode = share::Mode::kHard, .weight = 4}},
  };
  for (const auto& row : table)
    EXPECT_EQ(Only(Pod(row.limits, row.annotations)).compute, row.compute);
}

TEST(WarpshareNames, AnnotationsChooseCards) {
  const auto request = ParseWarpshareNames(Pod({}, {{"warpshare.io/use-gpu-model", "A100, H100"},
                                                    {"warpshare.io/avoid-gpu-model", "T4"},
                                                    {"warpshare.io/use-gpu-uuid", kUuid},
                                                    {"warpshare.io/node-policy", "spread"},
                                                    {"warpshare.io/card-policy", "topology"}}));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->wishes, (CardWishes{.use_models = {"A100", "H100"},
                                         .avoid_models = {"T4"},
                                         .use_uuids = {*ParseGpuUuid(kUuid)},
                                         .avoid_uuids = {},
                                         .node_policy = Policy::kSpread,
                                         .card_policy = Policy::kTopology}));
}

TEST(WarpshareNames, WhatMakesNoSenseIsRefusedByContainerOrAnnotation) {
  const struct {
    TextMap limits;
    TextMap annotations;
    const char* beginning;
  } table[] = {
      {{{"warpshare.io/gpu-cores", "0"}},
       {},
       "container main: warpshare.io/gpu-cores is not in 1..100"},
      {{{"warpshare.io/gpu-cores", "101"}}, {}, "container main: warpshare.io/gpu-cores is not in"},
      {{{"warpshare.io/gpu-cores", "-1"}},
       {},
       "container main: warpshare.io/gpu-cores '-1' is not a"},
      {{{"warpshare.io/gpu-memory", "0"}}, {}, "container main: warpshare.io/gpu-memory is out of"},
      {{{"warpshare.io/gpu-memory", "16P"}},
       {},
       "container main: warpshare.io/gpu-memory is out of"},
      {{{"warpshare.io/gpu-memory-percent", "200"}},
       {},
       "container main: warpshare.io/gpu-memory-p"},
      {{{"warpshare.io/gpu-memory", "1"}, {"warpshare.io/gpu-memory-percent", "1"}},
       {},
       "container main: has warpshare.io/gpu-memory and gpu-memory-percent"},
      {{{"warpshare.io/gpu", "0"}, {"warpshare.io/gpu-memory", "1"}},
       {},
       "container main: warpshare.io/gpu is 0 beside memory or cores"},
      {{{"warpshare.io/gpu", "65"}}, {}, "container main: asks for more than 64 cards"},
      {{{"warpshare.io/gpu", "1"}, {"nvidia.com/gpu", "1"}},
       {},
       "container main: asks for nvidia.com/gpu and warpshare.io/gpu"},
      {{{"warpshare.io/gpu-memory", "1"}},
       {{"warpshare.io/compute-policy", "hard"}},
       "container main: compute policy hard and soft need warpshare.io/gpu-cores"},
      {{{"warpshare.io/gpu-cores", "1"}},
       {{"warpshare.io/priority", "high"}},
       "container main: compute policy weighted and priority promise no percentage"},
      {{},
       {{"warpshare.io/compute-policy", "firm"}},
       "annotation warpshare.io/compute-policy 'firm'"},
      {{}, {{"warpshare.io/compute-weight", "17"}}, "annotation warpshare.io/compute-weight '17'"},
      {{}, {{"warpshare.io/compute-weight", "0"}}, "annotation warpshare.io/compute-weight '0'"},
      {{}, {{"warpshare.io/priority", "middle"}}, "annotation warpshare.io/priority 'middle'"},
      {{},
       {{"warpshare.io/priority", "low"}, {"warpshare.io/compute-policy", "hard"}},
       "annotation warpshare.io/priority 'low': goes with"},
      {{}, {{"warpshare.io/node-policy", "best"}}, "annotation warpshare.io/node-policy 'best'"},
      {{},
       {{"warpshare.io/use-gpu-uuid", "GPU-1"}},
       "annotation warpshare.io/use-gpu-uuid 'GPU-1'"},
      {{}, {{"warpshare.io/use-gpu-model", " ,"}}, "annotation warpshare.io/use-gpu-model ' ,'"},
  };
  for (const auto& row : table) {
    const auto request = ParseWarpshareNames(Pod(row.limits, row.annotations));
    ASSERT_FALSE(request) << row.beginning;
    EXPECT_TRUE(request.error().message.starts_with(row.beginning)) << request.error().message;
  }
}

}  // namespace
}  // namespace warpshare::request
