#include "interposer/compute/card_queue.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace warpshare::interposer {
namespace {

class CardQueueTest : public testing::Test {
 protected:
  static constexpr uint64_t kNow = 1'000'000;

  uint64_t used() const { return page_.used_ns; }
  uint64_t end() const { return CardQueue::EndNs(page_); }

  abi::CardWorkV1 page_{};
  CardQueue queue_{};
};

TEST_F(CardQueueTest, AnIdleCardBeginsNow) {
  queue_.Enter(page_, kNow, 300, nullptr);
  EXPECT_EQ(end(), kNow + 300);
  EXPECT_EQ(used(), 300u);
}

TEST_F(CardQueueTest, ABusyCardBeginsWhenItIsDoneWithWhatItHas) {
  queue_.Enter(page_, kNow, 300, nullptr);
  queue_.Enter(page_, kNow + 100, 50, nullptr);
  EXPECT_EQ(end(), kNow + 350);
  EXPECT_EQ(used(), 350u);
  EXPECT_EQ(queue_.Ticket(), 350u);
}

TEST_F(CardQueueTest, ATurnsWorkBeginsWhenTheCardIsDoneWithSomebodyElses) {
  queue_.Enter(page_, kNow, 300, nullptr);
  queue_.BeginsAt(page_, kNow + 1'000, 300);
  queue_.Enter(page_, kNow, 50, nullptr);
  EXPECT_EQ(end(), kNow + 1'350);
  EXPECT_EQ(used(), 350u);
}

TEST_F(CardQueueTest, ATurnsWorkIsNotMovedByWhatIsOverOrShorterThanItsOwnQueue) {
  queue_.Enter(page_, kNow, 300, nullptr);
  queue_.BeginsAt(page_, kNow - 1, 300);
  EXPECT_EQ(end(), kNow + 300);
  queue_.Enter(page_, kNow, 50, nullptr);
  queue_.BeginsAt(page_, kNow + 200, 50);
  EXPECT_EQ(end(), kNow + 350);
}

TEST_F(CardQueueTest, WhatLeavesIsTakenOffWhatComes) {
  queue_.Enter(page_, kNow, 300, nullptr);
  queue_.Leave(page_, 300);
  EXPECT_EQ(end(), kNow);
  EXPECT_EQ(queue_.Ticket(), 0u);
  EXPECT_EQ(used(), 300u) << "published amounts never shrink";
  queue_.Enter(page_, kNow, 100, nullptr);
  EXPECT_EQ(used(), 300u);
  queue_.Enter(page_, kNow, 250, nullptr);
  EXPECT_EQ(used(), 350u);
}

TEST_F(CardQueueTest, AChargeThatWasTooSmallIsMadeUpAtOnce) {
  queue_.Enter(page_, kNow, 100, nullptr);
  queue_.Correct(page_, 100, 250);
  EXPECT_EQ(used(), 250u);
}

TEST_F(CardQueueTest, AChargeThatWasTooMuchIsTakenOffWhatComes) {
  queue_.Enter(page_, kNow, 100, nullptr);
  queue_.Correct(page_, 100, 40);
  EXPECT_EQ(used(), 100u);
  queue_.Enter(page_, kNow, 100, nullptr);
  EXPECT_EQ(used(), 140u);
  EXPECT_EQ(end(), kNow + 200) << "the card is at it all the same";
}

TEST_F(CardQueueTest, WhatIsDoneEarlyLeavesWhatWasSubmittedSince) {
  queue_.Enter(page_, kNow, 300, nullptr);
  const uint64_t ticket = queue_.Ticket();
  queue_.Enter(page_, kNow, 200, nullptr);
  queue_.DoneUntil(page_, ticket, kNow + 10);
  EXPECT_EQ(end(), kNow + 10 + 200);
}

TEST_F(CardQueueTest, WhatIsDoneLateSaysNothingOfTheRest) {
  queue_.Enter(page_, kNow, 300, nullptr);
  const uint64_t ticket = queue_.Ticket();
  queue_.DoneUntil(page_, ticket, kNow + 900);
  EXPECT_EQ(end(), kNow + 300);
}

TEST_F(CardQueueTest, WhatIsNotDoneIsExpectedSoonAndTheRestAfterIt) {
  queue_.Enter(page_, kNow, 300'000, nullptr);
  const uint64_t ticket = queue_.Ticket();
  queue_.Enter(page_, kNow, 200'000, nullptr);
  queue_.NotDoneUntil(page_, ticket, kNow + 100'000);
  EXPECT_EQ(end(), kNow + 500'000) << "nothing is late yet";
  queue_.NotDoneUntil(page_, ticket, kNow + 900'000);
  EXPECT_GT(end(), kNow + 900'000 + 200'000);
  EXPECT_LT(end(), kNow + 900'000 + 300'000);
}

// Two processes of one tenant.
class TenantQueueTest : public CardQueueTest {
 protected:
  TenantQueueTest() {
    queue_.Join(tenant_);
    other_.Join(tenant_);
  }

  abi::CardUsageV1 tenant_{};
  abi::CardWorkV1 others_page_{};
  CardQueue other_{};
};

TEST_F(TenantQueueTest, OneProcessQueuesBehindTheOther) {
  queue_.Enter(page_, kNow, 300, nullptr);
  other_.Enter(others_page_, kNow, 200, nullptr);
  EXPECT_EQ(CardQueue::EndNs(others_page_), kNow + 500);
  EXPECT_EQ(queue_.AheadNs(page_, kNow), 500u);
  EXPECT_EQ(end(), kNow + 300) << "its own work ends before";
}

TEST_F(TenantQueueTest, OnlyWhoWasLastKnowsThatAllEndsSooner) {
  queue_.Enter(page_, kNow, 300, nullptr);
  other_.Enter(others_page_, kNow, 200, nullptr);
  queue_.EndsAt(page_, kNow + 100);
  EXPECT_EQ(queue_.AheadNs(page_, kNow), 500u);
  other_.EndsAt(others_page_, kNow + 250);
  EXPECT_EQ(queue_.AheadNs(page_, kNow), 250u);
}

TEST_F(TenantQueueTest, WhatIsLateHoldsUpTheOtherToo) {
  queue_.Enter(page_, kNow, 300'000, nullptr);
  queue_.NotDoneUntil(page_, queue_.Ticket(), kNow + 900'000);
  EXPECT_GT(other_.AheadNs(others_page_, kNow + 900'000), 0u);
}

TEST_F(TenantQueueTest, MeetsTheOtherWhereItQueuesBehindIt) {
  queue_.Enter(page_, kNow, 300, nullptr);
  other_.Enter(others_page_, kNow, 200, nullptr);
  EXPECT_FALSE(queue_.HadCompany(0));
  EXPECT_TRUE(other_.HadCompany(0));
  queue_.Enter(page_, kNow + 100, 100, nullptr);
  EXPECT_TRUE(queue_.HadCompany(300));
  EXPECT_FALSE(queue_.HadCompany(400)) << "that was before";
  other_.Enter(others_page_, kNow + 1'000, 100, nullptr);
  EXPECT_FALSE(other_.HadCompany(200)) << "the other is done";
}

TEST_F(TenantQueueTest, AnEndThatNobodyCanHaveQueuedForIsNotBelieved) {
  tenant_.queue_end_ns = UINT64_MAX;
  EXPECT_EQ(queue_.AheadNs(page_, kNow), 0u);
  queue_.Enter(page_, kNow, 300, nullptr);
  EXPECT_EQ(other_.AheadNs(others_page_, kNow), 300u);
}

TEST_F(CardQueueTest, TheTimeUsedIsExactWhoeverAddsAtTheSameTime) {
  constexpr uint64_t kRounds = 20'000;
  std::vector<std::thread> threads;
  std::atomic<bool> shrank{false};
  for (uint64_t thread = 1; thread <= 3; ++thread) {
    threads.emplace_back([&, thread] {
      uint64_t before = 0;
      for (uint64_t i = 0; i < kRounds; ++i) {
        queue_.Enter(page_, kNow + i, 10 * thread, nullptr);
        if (i % 3 == 0) queue_.Correct(page_, 10 * thread, 12 * thread);
        if (i % 3 == 1) queue_.Correct(page_, 10 * thread, 8 * thread);
        if (i % 3 == 2) queue_.Leave(page_, 10 * thread);
        if (used() < before) shrank = true;
        before = used();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(shrank);
  uint64_t took = 0;
  for (uint64_t i = 0; i < kRounds; ++i) took += i % 3 == 0 ? 12 : (i % 3 == 1 ? 8 : 0);
  // So large that all that is still to be taken off is.
  queue_.Enter(page_, kNow, 10'000'000, nullptr);
  EXPECT_EQ(used(), 10'000'000 + 6 * took);
}

TEST_F(CardQueueTest, KnowsSinceWhenThereWasWorkWithoutABreak) {
  queue_.Enter(page_, kNow, 300, nullptr);
  const uint64_t after_first = queue_.Ticket();
  queue_.Enter(page_, kNow + 100, 50, nullptr);
  EXPECT_TRUE(queue_.WasBusySince(after_first, page_, kNow + 100, 50));
  EXPECT_FALSE(queue_.WasBusySince(after_first, page_, kNow + 300, 50)) << "it ends too soon";
  const uint64_t after_second = queue_.Ticket();
  queue_.Enter(page_, kNow + 1'000, 900, nullptr);
  queue_.Enter(page_, kNow + 1'000, 50, nullptr);
  EXPECT_FALSE(queue_.WasBusySince(after_second, page_, kNow + 1'000, 50));
}

TEST_F(CardQueueTest, KnowsHowMuchOtherStreamsHaveBeforeTheLastAtMost) {
  const int one = 1;
  const int other = 2;
  queue_.Enter(page_, kNow, 300, &one);
  queue_.Enter(page_, kNow, 300, &one);
  EXPECT_EQ(queue_.OthersNs(page_, kNow, 300), 0u);
  queue_.Enter(page_, kNow, 300, &other);
  EXPECT_EQ(queue_.OthersNs(page_, kNow, 300), 600u);
  queue_.Enter(page_, kNow + 100, 300, &other);
  EXPECT_EQ(queue_.OthersNs(page_, kNow + 100, 300), 500u) << "the first one's is not done";
  queue_.Enter(page_, kNow + 700, 300, &other);
  EXPECT_EQ(queue_.OthersNs(page_, kNow + 700, 300), 0u);
}

}  // namespace
}  // namespace warpshare::interposer
