#include "policy/node_ledger/node_ledger.h"

#include <gtest/gtest.h>

namespace warpshare::node_ledger {
namespace {

using request::Assignment;
using request::CardGrant;
using request::Compute;
using request::ContainerKind;
using request::ContainerRequest;
using request::Request;

GpuUuid Uuid(uint8_t number) { return GpuUuid(std::array<uint8_t, 16>{number, 0xab}); }

const std::vector<Card> kCards = {{Uuid(0), 40_GiB}, {Uuid(1), 40_GiB}};
constexpr Compute kHard = {.mode = share::Mode::kHard};

ContainerRequest Asks(const char* name, Bytes memory, uint32_t cores = 0,
                      ContainerKind kind = ContainerKind::kOrdinary) {
  return {.name = name,
          .kind = kind,
          .cards = 1,
          .memory = MemoryAmount::Of(memory),
          .cores_percent = cores,
          .compute = cores == 0 ? Compute{} : kHard};
}

Request Pod(std::vector<ContainerRequest> containers) {
  Request pod;
  pod.pod_name = "pod";
  pod.containers = std::move(containers);
  return pod;
}

// All on one card, as asked.
Assignment OnCard(const GpuUuid& card, const Request& pod) {
  Assignment assignment{.node = "node", .containers = {}};
  for (const ContainerRequest& asked : pod.containers)
    assignment.containers.push_back(
        {asked.name,
         {{card, asked.memory.On(40_GiB), asked.cores_percent, asked.whole, asked.compute}}});
  return assignment;
}

TEST(NodeLedger, APodCountsByItsPeak) {
  const Request pod = Pod({Asks("prepare", 30_GiB, 50, ContainerKind::kInit),
                           Asks("side", 4_GiB, 10, ContainerKind::kSidecar),
                           Asks("late", 20_GiB, 0, ContainerKind::kInit), Asks("main", 8_GiB, 20),
                           Asks("other", 8_GiB, 20)});
  EXPECT_EQ(PeakOn(Uuid(0), pod, OnCard(Uuid(0), pod)),
            (Part{.memory = 30_GiB, .cores_percent = 50, .tenants = 3}));
  EXPECT_EQ(PeakOn(Uuid(1), pod, OnCard(Uuid(0), pod)), Part{});
}

TEST(NodeLedger, AnAssignmentMayNotGiveMoreThanTheSpecAsksFor) {
  const Request pod = Pod({Asks("main", 4_GiB, 30)});
  const Assignment good = OnCard(Uuid(0), pod);
  EXPECT_TRUE(CheckWithinRequest(pod, good, kCards));
  const struct {
    void (*edit)(Assignment&);
    const char* says;
  } table[] = {
      {[](Assignment& a) { a.containers[0].cards[0].memory = 5_GiB; }, "more memory"},
      {[](Assignment& a) { a.containers[0].cards[0].cores_percent = 31; }, "more GPU time"},
      {[](Assignment& a) { a.containers[0].cards[0].whole = true; }, "more than"},
      {[](Assignment& a) { a.containers[0].cards[0].compute = {}; }, "another compute mode"},
      {[](Assignment& a) { a.containers[0].cards.push_back({Uuid(1), 4_GiB, 30, false, kHard}); },
       "more cards"},
      {[](Assignment& a) { a.containers.clear(); }, "fewer cards"},
      {[](Assignment& a) { a.containers.push_back({"stranger", {}}); }, "'stranger'"},
      {[](Assignment& a) { a.containers[0].cards[0].uuid = Uuid(9); }, "no card of this node"},
  };
  for (const auto& [edit, says] : table) {
    Assignment edited = good;
    edit(edited);
    const auto checked = CheckWithinRequest(pod, edited, kCards);
    ASSERT_FALSE(checked) << says;
    EXPECT_NE(checked.error().message.find(says), std::string::npos) << checked.error().message;
  }
}

TEST(NodeLedger, ThereIsRoomUntilMemoryOrTimeIsGivenAway) {
  NodeLedger ledger(kCards);
  const Request first = Pod({Asks("main", 30_GiB, 60)});
  ledger.Add(first, OnCard(Uuid(0), first));
  const auto has_room = [&](const Request& pod) {
    return ledger.CheckRoom(pod, OnCard(Uuid(0), pod)).has_value();
  };
  EXPECT_TRUE(has_room(Pod({Asks("main", 10_GiB, 40)})));
  EXPECT_FALSE(has_room(Pod({Asks("main", 11_GiB)})));
  EXPECT_FALSE(has_room(Pod({Asks("main", 1_GiB, 41)})));
  Request whole = Pod({Asks("main", 40_GiB)});
  whole.containers[0].whole = true;
  EXPECT_FALSE(has_room(whole));
  EXPECT_TRUE(ledger.CheckRoom(whole, OnCard(Uuid(1), whole)));
  ledger.Add(whole, OnCard(Uuid(1), whole));
  const Request least = Pod({Asks("main", 0_B)});
  EXPECT_FALSE(ledger.CheckRoom(least, OnCard(Uuid(1), least)));
}

TEST(NodeLedger, APodThatNobodyPlacedGoesToTheFullestCardWithRoom) {
  NodeLedger ledger(kCards);
  const Request first = Pod({Asks("main", 30_GiB)});
  ledger.Add(first, OnCard(Uuid(1), first));
  const Request pod = Pod({Asks("prepare", 9_GiB, 0, ContainerKind::kInit), Asks("main", 8_GiB),
                           Asks("large", 20_GiB)});
  const auto placed = ledger.Place(pod, "node");
  ASSERT_TRUE(placed) << placed.error().message;
  EXPECT_EQ(placed->Find("prepare")->cards[0].uuid, Uuid(1));
  EXPECT_EQ(placed->Find("main")->cards[0].uuid, Uuid(1)) << "the init container is gone then";
  EXPECT_EQ(placed->Find("large")->cards[0].uuid, Uuid(0));
  EXPECT_TRUE(CheckWithinRequest(pod, *placed, kCards));
}

TEST(NodeLedger, WhatDoesNotFitIsRefusedWithAReason) {
  NodeLedger ledger({{Uuid(0), 40_GiB}, {Uuid(1), 40_GiB, /*is_healthy=*/false}});
  Request two = Pod({Asks("main", 1_GiB)});
  two.containers[0].cards = 2;
  EXPECT_FALSE(ledger.Place(two, "node")) << "one of the two is ill";
  const Request large = Pod({Asks("main", 41_GiB)});
  const auto refused = ledger.Place(large, "node");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kUnavailable);
  EXPECT_NE(refused.error().message.find("memory 41GiB beside 0B of 40GiB"), std::string::npos)
      << refused.error().message;
  Request picky = Pod({Asks("main", 1_GiB)});
  picky.wishes.avoid_uuids = {Uuid(0)};
  EXPECT_FALSE(ledger.Place(picky, "node"));
  picky.wishes = {.use_models = {"A100"}};
  EXPECT_EQ(ledger.Place(picky, "node").error().code, Errc::kInvalid);
}

}  // namespace
}  // namespace warpshare::node_ledger
