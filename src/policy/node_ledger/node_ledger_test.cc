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

const place::NodeSpec kNode = {.name = "node",
                               .cards = {{.uuid = Uuid(0), .model = "A100", .memory = 40_GiB},
                                         {.uuid = Uuid(1), .model = "A100", .memory = 40_GiB}}};
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
  NodeLedger ledger(kNode);
  ledger.Add("pod", pod, OnCard(Uuid(0), pod));
  const auto has_room = [&](const Request& more) {
    return ledger.CheckRoom(more, OnCard(Uuid(0), more)).has_value();
  };
  EXPECT_TRUE(has_room(Pod({Asks("main", 10_GiB, 49)}))) << "beside 30 GiB and 50 %";
  EXPECT_FALSE(has_room(Pod({Asks("main", 11_GiB)})));
  EXPECT_FALSE(has_room(Pod({Asks("main", 1_GiB, 51)})));
}

TEST(NodeLedger, AnAssignmentMayNotGiveMoreThanTheSpecAsksFor) {
  const Request pod = Pod({Asks("main", 4_GiB, 30)});
  const Assignment good = OnCard(Uuid(0), pod);
  EXPECT_TRUE(CheckWithinRequest(pod, good, kNode.cards));
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
    const auto checked = CheckWithinRequest(pod, edited, kNode.cards);
    ASSERT_FALSE(checked) << says;
    EXPECT_NE(checked.error().message.find(says), std::string::npos) << checked.error().message;
  }
}

TEST(NodeLedger, ThereIsRoomUntilMemoryOrTimeIsGivenAway) {
  NodeLedger ledger(kNode);
  const Request first = Pod({Asks("main", 30_GiB, 60)});
  ledger.Add("first", first, OnCard(Uuid(0), first));
  const auto has_room = [&](const Request& pod) {
    return ledger.CheckRoom(pod, OnCard(Uuid(0), pod)).has_value();
  };
  EXPECT_TRUE(has_room(Pod({Asks("main", 10_GiB, 40)})));
  EXPECT_FALSE(has_room(Pod({Asks("main", 11_GiB)})));
  EXPECT_FALSE(has_room(Pod({Asks("main", 1_GiB, 41)})));
  Request whole = Pod({Asks("main", 40_GiB)});
  whole.containers[0].whole = true;
  whole.containers[0].cores_percent = request::kWholeCardCores;
  EXPECT_FALSE(has_room(whole));
  EXPECT_TRUE(ledger.CheckRoom(whole, OnCard(Uuid(1), whole)));
  ledger.Add("whole", whole, OnCard(Uuid(1), whole));
  const Request least = Pod({Asks("main", 0_B)});
  EXPECT_FALSE(ledger.CheckRoom(least, OnCard(Uuid(1), least)));
}

TEST(NodeLedger, OnePercentIsKeptForThoseThatWerePromisedNone) {
  NodeLedger ledger(kNode);
  const Request first = Pod({Asks("main", 1_GiB)});
  ledger.Add("first", first, OnCard(Uuid(0), first));
  const Request all = Pod({Asks("main", 1_GiB, 100)});
  const auto room = ledger.CheckRoom(all, OnCard(Uuid(0), all));
  ASSERT_FALSE(room);
  EXPECT_NE(room.error().message.find("without a part of their own"), std::string::npos);
  const Request nearly = Pod({Asks("main", 1_GiB, 99)});
  EXPECT_TRUE(ledger.CheckRoom(nearly, OnCard(Uuid(0), nearly)));
}

TEST(NodeLedger, AnUnhealthyCardTakesWhatWasGivenOfItAndNothingNew) {
  place::NodeSpec node = kNode;
  for (place::CardSpec& card : node.cards) card.healthy = false;
  const NodeLedger ledger(node);
  const Request pod = Pod({Asks("main", 1_GiB)});
  EXPECT_TRUE(ledger.CheckRoom(pod, OnCard(Uuid(0), pod)));
  EXPECT_FALSE(ledger.Place(pod));
}

TEST(NodeLedger, APodThatNobodyPlacedGoesToTheFullestCardWithRoom) {
  NodeLedger ledger(kNode);
  const Request first = Pod({Asks("main", 30_GiB)});
  ledger.Add("first", first, OnCard(Uuid(1), first));
  const Request pod = Pod({Asks("prepare", 9_GiB, 0, ContainerKind::kInit), Asks("main", 8_GiB),
                           Asks("large", 20_GiB)});
  const auto placed = ledger.Place(pod);
  ASSERT_TRUE(placed) << placed.error().message;
  EXPECT_EQ(placed->Find("main")->cards[0].uuid, Uuid(1));
  EXPECT_EQ(placed->Find("large")->cards[0].uuid, Uuid(0));
  EXPECT_EQ(placed->Find("prepare")->cards[0].uuid, Uuid(0)) << "what it needs is held there later";
  EXPECT_TRUE(CheckWithinRequest(pod, *placed, kNode.cards));
}

TEST(NodeLedger, WhatDoesNotFitIsRefusedWithAReason) {
  place::NodeSpec node = kNode;
  node.cards[1].healthy = false;
  const NodeLedger ledger(node);
  Request two = Pod({Asks("main", 1_GiB)});
  two.containers[0].cards = 2;
  EXPECT_FALSE(ledger.Place(two)) << "one of the two is ill";
  const Request large = Pod({Asks("main", 41_GiB)});
  const auto refused = ledger.Place(large);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kUnavailable);
  EXPECT_NE(refused.error().message.find("more memory than a card here has"), std::string::npos)
      << refused.error().message;
  Request picky = Pod({Asks("main", 1_GiB)});
  picky.wishes.avoid_uuids = {Uuid(0)};
  EXPECT_FALSE(ledger.Place(picky));
  picky.wishes = {.use_models = {"H100"}};
  EXPECT_FALSE(ledger.Place(picky));
  picky.wishes = {.use_models = {"A100"}};
  EXPECT_TRUE(ledger.Place(picky));
}

}  // namespace
}  // namespace warpshare::node_ledger
