#include "policy/admit/quota.h"

#include <gtest/gtest.h>

namespace warpshare::admit {
namespace {

using request::ContainerKind;
using request::ContainerRequest;

const GpuUuid kA100 = *ParseGpuUuid("GPU-00000000-0000-0000-0000-000000000001");
const GpuUuid kT4 = *ParseGpuUuid("GPU-00000000-0000-0000-0000-000000000002");

ContainerRequest Container(const char* name, ContainerKind kind, uint32_t cards, Bytes memory) {
  return {.name = name,
          .kind = kind,
          .cards = cards,
          .memory = MemoryAmount::Of(memory),
          .cores_percent = 10};
}

TEST(Quota, EveryCardOfAContainerCounts) {
  const request::Request request{
      .containers = {Container("main", ContainerKind::kOrdinary, 2, 4_GiB)}};
  EXPECT_EQ(AmountOf(request, 80_GiB).at(""),
            (Amount{.cards = 2, .memory = 8_GiB, .cores_percent = 20}));
}

TEST(Quota, AnInitContainerCountsOnlyWhereItIsThePeak) {
  const request::Request request{
      .containers = {Container("a", ContainerKind::kInit, 1, 6_GiB),
                     Container("b", ContainerKind::kSidecar, 1, 1_GiB),
                     Container("c", ContainerKind::kInit, 1, 7_GiB),
                     Container("d", ContainerKind::kOrdinary, 2, 2_GiB)}};
  EXPECT_EQ(AmountOf(request, 80_GiB).at(""),
            (Amount{.cards = 3, .memory = 8_GiB, .cores_percent = 30}));
}

TEST(Quota, APercentageIsThatOfTheLargestCardUntilThePodIsPlaced) {
  ContainerRequest half = Container("main", ContainerKind::kOrdinary, 1, 0_B);
  half.memory = MemoryAmount::Share(5'000);
  const request::Request request{.containers = {half}, .wishes = {.use_models = {"T4"}}};
  EXPECT_EQ(AmountOf(request, 80_GiB).at("").memory, 40_GiB);
  EXPECT_EQ(AmountOf(request, 80_GiB).at("T4").memory, 40_GiB);
  const request::Assignment assignment{
      .node = "n",
      .containers = {
          {.container = "main", .cards = {{.uuid = kT4, .memory = 8_GiB, .cores_percent = 10}}}}};
  const AmountByModel given = AmountOf(request, assignment, {{kT4, "NVIDIA T4"}});
  EXPECT_EQ(given.at("").memory, 8_GiB);
  EXPECT_EQ(given.at("NVIDIA T4").memory, 8_GiB);
}

TEST(Quota, CardsOfTwoModelsCountForEachAndTogether) {
  const request::Request request{
      .containers = {Container("main", ContainerKind::kOrdinary, 2, 4_GiB)}};
  const request::Assignment assignment{
      .node = "n",
      .containers = {{.container = "main",
                      .cards = {{.uuid = kA100, .memory = 4_GiB, .cores_percent = 10},
                                {.uuid = kT4, .memory = 4_GiB, .cores_percent = 10}}}}};
  const AmountByModel given = AmountOf(request, assignment, {{kA100, "A100"}, {kT4, "T4"}});
  EXPECT_EQ(given.at("").cards, 2u);
  EXPECT_EQ(given.at("A100").cards, 1u);
  EXPECT_EQ(given.at("T4").cards, 1u);
}

TEST(Quota, WhatComesAndGoesLeavesNothing) {
  const AmountByModel one = {{"", {.cards = 1, .memory = 4_GiB, .cores_percent = 30}}};
  EXPECT_EQ(Difference(Sum(one, one), one), one);
  EXPECT_EQ(Difference(one, Sum(one, one)).at(""), Amount{});
}

TEST(Quota, ALimitIsReachedButNotPassed) {
  const AmountByModel used = {{"", {.cards = 3, .memory = 12_GiB, .cores_percent = 90}},
                              {"T4", {.cards = 1}}};
  const AmountByModel wanted = {{"", {.cards = 1, .memory = 4_GiB, .cores_percent = 10}},
                                {"T4", {.cards = 1}}};
  const struct {
    LimitByModel limits;
    const char* beginning;  // nullptr: let in
  } table[] = {
      {{}, nullptr},
      {{{"", {.cards = 4, .memory = 16_GiB, .cores_percent = 100}}}, nullptr},
      {{{"", {.cards = 3}}}, "quota: cards: the namespace may have 3, has 3, and the pod wants 1"},
      {{{"", {.memory = 15_GiB}}}, "quota: card memory: the namespace may have 15GiB, has 12GiB"},
      {{{"", {.cores_percent = 99}}}, "quota: cores: the namespace may have 99 %, has 90 %"},
      {{{"T4", {.cards = 1}}}, "quota: cards of model T4: the namespace may have 1, has 1"},
      {{{"A100", {.cards = 0}}}, nullptr},
  };
  for (const auto& [limits, beginning] : table) {
    const auto error = Exceeds(limits, used, wanted);
    ASSERT_EQ(error.has_value(), beginning != nullptr);
    if (beginning != nullptr) {
      EXPECT_TRUE(error->message.starts_with(beginning)) << error->message;
    }
  }
}

}  // namespace
}  // namespace warpshare::admit
