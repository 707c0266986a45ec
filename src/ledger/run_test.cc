#include "ledger/run.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "ledger/card_ledger.h"
#include "ledger/slot_table.h"

namespace warpshare::ledger {
namespace {

class RunTest : public testing::Test {
 protected:
  RunTest() : page_(std::make_unique<abi::UsagePageV1>()), ledger_(*page_, 0) {}

  abi::CardUsageV1& card() { return page_->cards[0]; }

  // A run of the slot, with `bytes` in its part and room below the peak.
  uint64_t BeginRun(uint32_t slot, uint64_t bytes) {
    EXPECT_EQ(ledger_.Reserve(slot, bytes + 1000, abi::kNoLimit), Verdict::kGranted);
    ledger_.Release(slot, 1000);
    const uint64_t run = RunOpenTo(card(), slot);
    EXPECT_NE(run, kNoRun);
    return run;
  }

  static bool Dead(void*) { return true; }

  std::unique_ptr<abi::UsagePageV1> page_;
  CardLedger ledger_;
};

TEST_F(RunTest, CountsWhatItReservesAndReleasesForItsSlot) {
  const uint64_t run = BeginRun(3, 100);
  EXPECT_TRUE(TryReserveInRun(card(), run, 50, abi::kNoLimit));
  EXPECT_TRUE(TryReleaseInRun(card(), run, 120));
  EXPECT_EQ(ledger_.TotalBytes(), 30u);
  EXPECT_EQ(ledger_.PartBytes(3), 30u);
  EXPECT_EQ(RunOpenTo(card(), 3), run);
}

TEST_F(RunTest, ReservesToTheLimitAndLeavesWhatIsBeyondToTheLongWay) {
  const uint64_t run = BeginRun(3, 100);
  EXPECT_FALSE(TryReserveInRun(card(), run, 51, 150));
  EXPECT_TRUE(TryReserveInRun(card(), run, 50, 150));
  EXPECT_FALSE(TryReserveInRun(card(), run, 1, 150));
  EXPECT_FALSE(TryReserveInRun(card(), run, UINT64_MAX, abi::kNoLimit));
  EXPECT_EQ(ledger_.TotalBytes(), 150u);
}

TEST_F(RunTest, LeavesANewPeakToTheLongWay) {
  const uint64_t run = BeginRun(3, 0);
  EXPECT_TRUE(TryReserveInRun(card(), run, 1000, abi::kNoLimit));
  EXPECT_FALSE(TryReserveInRun(card(), run, 1, abi::kNoLimit));
  EXPECT_EQ(ledger_.PeakBytes(), 1000u);
}

TEST_F(RunTest, ReservesRoomAboveThePeakAndRaisesNone) {
  const uint64_t run = BeginRun(3, 0);
  EXPECT_TRUE(TryReserveRoomInRun(card(), run, 1001, abi::kNoLimit));
  EXPECT_FALSE(TryReserveRoomInRun(card(), run, 1000, 2000));
  EXPECT_FALSE(TryReserveRoomInRun(card(), run, kMaxBytes, abi::kNoLimit));
  EXPECT_EQ(ledger_.TotalBytes(), 1001u);
  EXPECT_EQ(ledger_.PeakBytes(), 1000u);
}

TEST_F(RunTest, ReleasesNoMoreThanThereIs) {
  const uint64_t run = BeginRun(3, 100);
  EXPECT_FALSE(TryReleaseInRun(card(), run, 101));
  EXPECT_EQ(ledger_.TotalBytes(), 100u);
}

TEST_F(RunTest, IsOpenToNobodyOnAFreshPage) {
  for (const uint32_t slot : {0u, 1u}) EXPECT_EQ(RunOpenTo(card(), slot), kNoRun);
  EXPECT_FALSE(TryReserveInRun(card(), kNoRun, 0, abi::kNoLimit));
}

TEST_F(RunTest, EndsWithAChangeOfAnotherSlotAndDoesNotComeBack) {
  const uint64_t run = BeginRun(3, 100);
  EXPECT_EQ(RunOpenTo(card(), 4), kNoRun);
  ASSERT_EQ(ledger_.Reserve(4, 10, abi::kNoLimit), Verdict::kGranted);
  EXPECT_FALSE(TryReserveInRun(card(), run, 1, abi::kNoLimit));
  ASSERT_EQ(ledger_.Reserve(3, 10, abi::kNoLimit), Verdict::kGranted);
  EXPECT_FALSE(TryReserveInRun(card(), run, 1, abi::kNoLimit));
  EXPECT_FALSE(TryReleaseInRun(card(), run, 1));
  EXPECT_NE(RunOpenTo(card(), 3), run);
  EXPECT_EQ(ledger_.TotalBytes(), 120u);
}

TEST_F(RunTest, EndsWhenItsSlotIsReapedWithNothingInIt) {
  const uint64_t run = BeginRun(3, 0);
  EXPECT_EQ(ledger_.Reap(3, Dead, nullptr), 0u);
  EXPECT_EQ(RunOpenTo(card(), 3), kNoRun);
  EXPECT_FALSE(TryReserveInRun(card(), run, 1, abi::kNoLimit));
}

// The owner was taken for dead: what it does by its run afterwards must not be the new owner's.
TEST_F(RunTest, EndsWhenItsSlotIsGivenToAnother) {
  const uint64_t generation = TakeSlot(*page_, 3, {});
  const uint64_t run = BeginRun(3, 100);
  EXPECT_EQ(GiveBackDead(*page_, 3, generation), 100u);
  ASSERT_NE(TakeSlot(*page_, 3, {}), 0u);
  EXPECT_FALSE(TryReserveInRun(card(), run, 1, abi::kNoLimit));
  ASSERT_EQ(ledger_.Reserve(3, 70, abi::kNoLimit), Verdict::kGranted);
  EXPECT_FALSE(TryReleaseInRun(card(), run, 1));
  EXPECT_EQ(ledger_.PartBytes(3), 70u);
}

// Threads of two processes on one card, each going the short way while it may.
TEST_F(RunTest, LosesNothingAmongThreadsThatTakeBothWays) {
  constexpr int kRounds = 20'000;
  const auto work = [this](uint32_t slot) {
    uint64_t run = kNoRun;
    for (int round = 0; round < kRounds; ++round) {
      const uint64_t bytes = 1 + static_cast<uint64_t>(round % 7);
      if (!TryReserveInRun(card(), run, bytes, abi::kNoLimit)) {
        ASSERT_EQ(ledger_.Reserve(slot, bytes, abi::kNoLimit), Verdict::kGranted);
        run = RunOpenTo(card(), slot);
      }
      if (round % 4 == 0) continue;
      if (!TryReleaseInRun(card(), run, bytes)) ledger_.Release(slot, bytes);
    }
  };
  std::vector<std::thread> threads;
  for (const uint32_t slot : {5u, 5u, 6u}) threads.emplace_back(work, slot);
  for (std::thread& thread : threads) thread.join();
  uint64_t kept = 0;
  for (int round = 0; round < kRounds; round += 4) kept += 1 + static_cast<uint64_t>(round % 7);
  EXPECT_EQ(ledger_.PartBytes(5), 2 * kept);
  EXPECT_EQ(ledger_.PartBytes(6), kept);
  EXPECT_EQ(ledger_.TotalBytes(), 3 * kept);
}

}  // namespace
}  // namespace warpshare::ledger
