#include "ledger/room.h"

#include <gtest/gtest.h>

#include <memory>

#include "ledger/slot_table.h"

namespace warpshare::ledger {
namespace {

// Makes the slot somebody's.
void Take(abi::UsagePageV1& page, uint32_t slot) {
  ASSERT_NE(TakeSlot(page, slot, OwnerIdentity{}), 0u);
}

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

TEST_F(RoomTest, OneThatDiedDoesNotHideTheOthers) {
  AnnounceRoom(*page_, 1, 5, 20);
  GiveBackDead(*page_, 5, page_->slots[5].owner.generation);
  AnnounceRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
  WithdrawRoom(*page_, 1, 0, 100);
  EXPECT_EQ(RoomBytes(*page_, 1), 0u);
}

TEST_F(RoomTest, WhatIsWithdrawnFromAnotherSlotDoesNotCount) {
  AnnounceRoom(*page_, 1, 0, 100);
  AnnounceRoom(*page_, 1, 3, 1);  // whose owner was taken for dead, and went on in the next
  WithdrawRoom(*page_, 1, 5, 1);
  EXPECT_EQ(RoomBytes(*page_, 1), 100u);
}

}  // namespace
}  // namespace warpshare::ledger
