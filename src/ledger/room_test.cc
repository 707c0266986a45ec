#include "ledger/room.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "ledger/slot_table.h"

namespace warpshare::ledger {
namespace {

// Makes the slot somebody's.
void Take(abi::UsagePageV1& page, uint32_t slot) {
  ASSERT_NE(TakeSlot(page, slot, OwnerIdentity{}), 0u);
}

uint64_t RoomBytes(abi::UsagePageV1& page, uint32_t card) { return LookForRoom(page, card).bytes; }

class RoomTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Take(*page_, 0);
    Take(*page_, 5);
  }

  std::unique_ptr<abi::UsagePageV1> page_ = std::make_unique<abi::UsagePageV1>();
};

TEST_F(RoomTest, WhatAllProcessesAnnounceIsSummedByCard) {
  AnnounceRoom(*page_, 1, 0, 100);
  AnnounceRoom(*page_, 1, 5, 20);
  AnnounceRoom(*page_, 2, 5, 3);
  EXPECT_EQ(RoomBytes(*page_, 1), 120u);
  EXPECT_EQ(RoomBytes(*page_, 2), 3u);
}

TEST_F(RoomTest, WhatIsWithdrawnIsGone) {
  AnnounceRoom(*page_, 1, 0, 100);
  WithdrawRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 0u);
}

TEST_F(RoomTest, ADeadProcessAnnouncesNothing) {
  AnnounceRoom(*page_, 1, 5, 20);
  GiveBackDead(*page_, 5, page_->slots[5].owner.generation);
  EXPECT_EQ(RoomBytes(*page_, 1), 0u);
}

TEST_F(RoomTest, TheNextOneInASlotStartsWithNone) {
  AnnounceRoom(*page_, 1, 5, 20);
  GiveBackDead(*page_, 5, page_->slots[5].owner.generation);
  Take(*page_, 5);
  EXPECT_EQ(RoomBytes(*page_, 1), 0u);
}

TEST_F(RoomTest, TwoLooksDifferIfAnyCameAndWentBetweenThem) {
  AnnounceRoom(*page_, 1, 5, 20);
  const Room before = LookForRoom(*page_, 1);
  EXPECT_EQ(LookForRoom(*page_, 1), before);
  WithdrawRoom(*page_, 1, 5, 20);
  EXPECT_NE(LookForRoom(*page_, 1), before);
  AnnounceRoom(*page_, 1, 0, 20);
  EXPECT_EQ(LookForRoom(*page_, 1).bytes, before.bytes);
  EXPECT_NE(LookForRoom(*page_, 1), before);
}

TEST_F(RoomTest, TwoLooksAreTheSameThoughOnlyTheFirstLookedAtTheSlots) {
  AnnounceRoom(*page_, 1, 0, 100);
  WithdrawRoom(*page_, 1, 0, 100);
  const Room before = LookForRoom(*page_, 1);
  EXPECT_EQ(LookForRoom(*page_, 1), before);
}

TEST_F(RoomTest, TwoLooksThatFoundNoneDifferIfAnyCameAndWentBetweenThem) {
  const Room before = LookForRoom(*page_, 1);
  AnnounceRoom(*page_, 1, 0, 100);
  WithdrawRoom(*page_, 1, 0, 100);
  (void)LookForRoom(*page_, 1);
  ASSERT_EQ(RoomsOf(page_->cards[1].rooms), Rooms::kNone);
  EXPECT_NE(LookForRoom(*page_, 1), before);
}

TEST_F(RoomTest, OneThatDiedDoesNotHideTheOthers) {
  AnnounceRoom(*page_, 1, 5, 20);
  GiveBackDead(*page_, 5, page_->slots[5].owner.generation);
  AnnounceRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
  WithdrawRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 0u);
}

TEST_F(RoomTest, OnceNobodyHasAnyASlotIsNotLookedAtAgain) {
  AnnounceRoom(*page_, 1, 0, 100);
  WithdrawRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomsOf(page_->cards[1].rooms), Rooms::kSome) << "as far as is known";
  EXPECT_EQ(RoomBytes(*page_, 1), 0u);
  EXPECT_EQ(RoomsOf(page_->cards[1].rooms), Rooms::kNone);
  AnnounceRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
}

// Who asked first died in between.
TEST_F(RoomTest, OneThatDiedWhileItAskedHidesNothing) {
  page_->cards[1].rooms = WithRooms(kOneAsking, Rooms::kCounted);
  AnnounceRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
  WithdrawRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 0u);
  EXPECT_EQ(RoomsOf(page_->cards[1].rooms), Rooms::kNone);
}

TEST_F(RoomTest, WhoFoundNobodyDoesNotHideWhatWasAnnouncedSince) {
  std::atomic<uint64_t>& rooms = page_->cards[1].rooms;
  SayThereIsRoom(rooms);
  const uint64_t first = BeginToAsk(rooms);
  AnnounceRoom(*page_, 1, 0, 100);
  const uint64_t second = BeginToAsk(rooms);
  EndToAsk(rooms, first, 0);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
  EndToAsk(rooms, second, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
}

TEST_F(RoomTest, WhatIsAnnouncedIsSeenWhoeverElseAsks) {
  std::atomic<int> announcing = 2;
  std::atomic<int> missed = 0;
  const auto announce = [&](uint32_t slot) {
    for (int n = 0; n < 100'000; ++n) {
      AnnounceRoom(*page_, 1, slot, 1);
      missed += RoomBytes(*page_, 1) == 0 ? 1 : 0;
      WithdrawRoom(*page_, 1, slot, 1);
    }
    --announcing;
  };
  std::thread first(announce, 0);
  std::thread second(announce, 5);
  while (announcing != 0) (void)RoomBytes(*page_, 1);
  first.join();
  second.join();
  EXPECT_EQ(missed, 0);
}

TEST_F(RoomTest, WhatIsWithdrawnFromAnotherSlotDoesNotCount) {
  AnnounceRoom(*page_, 1, 0, 100);
  AnnounceRoom(*page_, 1, 3, 1);  // whose owner was taken for dead, and went on in the next
  WithdrawRoom(*page_, 1, 5, 1);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
}

}  // namespace
}  // namespace warpshare::ledger
