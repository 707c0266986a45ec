#include "ledger/snapshot.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "ledger/card_ledger.h"

namespace warpshare::ledger {
namespace {

class SnapshotTest : public testing::Test {
 protected:
  SnapshotTest()
      : page_(std::make_unique<abi::UsagePageV1>()), snapshot_(std::make_unique<RegionSnapshot>()) {
    page_->magic = abi::kUsageMagic;
    page_->size = sizeof(abi::UsagePageV1);
    page_->major = abi::kUsageMajor;
    page_->minor = abi::kUsageMinor;
  }

  SnapshotVerdict Read(size_t size = sizeof(abi::UsagePageV1)) {
    std::vector<std::byte> copy(size + 1);
    std::memcpy(copy.data() + 1, static_cast<const void*>(page_.get()), size);  // not aligned
    return ReadSnapshot(std::span(copy).subspan(1), *snapshot_);
  }

  void Take(uint32_t slot, uint32_t pid, const char* command) {
    abi::SlotOwner& owner = page_->slots[slot].owner;
    owner.generation = 1;
    owner.pid = pid;
    owner.start_time = 77;
    owner.pid_namespace = 4026531836;
    std::memcpy(owner.command, command, std::min(sizeof(owner.command), std::strlen(command)));
  }

  std::unique_ptr<abi::UsagePageV1> page_;
  std::unique_ptr<RegionSnapshot> snapshot_;
};

TEST_F(SnapshotTest, ShowsTotalsPartsPeakAndRefusals) {
  Take(3, 4711, "python3");
  Take(900, 4712, "trainer");
  CardLedger ledger(*page_, 1);
  ASSERT_EQ(ledger.Reserve(3, 700, 1000), Verdict::kGranted);
  ASSERT_EQ(ledger.Reserve(900, 200, 1000), Verdict::kGranted);
  ledger.Release(3, 300);
  ledger.CountRefusal();

  ASSERT_EQ(Read(), SnapshotVerdict::kValid);
  EXPECT_EQ(snapshot_->cards[1].total_bytes, 600u);
  EXPECT_EQ(snapshot_->cards[1].peak_bytes, 900u);
  EXPECT_EQ(snapshot_->cards[1].refusals, 1u);
  EXPECT_TRUE(snapshot_->cards[1].exact);
  EXPECT_EQ(snapshot_->cards[0].total_bytes, 0u);
  ASSERT_EQ(snapshot_->process_count, 2u);
  const ProcessSnapshot& first = snapshot_->processes[0];
  EXPECT_EQ(first.slot, 3u);
  EXPECT_EQ(first.pid, 4711u);
  EXPECT_EQ(first.start_time, 77u);
  EXPECT_STREQ(first.command, "python3");
  EXPECT_EQ(first.used_bytes[1], 400u);
  EXPECT_EQ(snapshot_->processes[1].used_bytes[1], 200u);
}

// The state between the two steps of a change (card_ledger.h).
TEST_F(SnapshotTest, CompletesTheChangeInFlight) {
  Take(7, 1, "a");
  page_->cards[0].total =
      Pack({.bytes = 150, .slot = 7, .delta = 150, .negative = false, .sequence = 9});
  ASSERT_EQ(Read(), SnapshotVerdict::kValid);
  EXPECT_EQ(snapshot_->processes[0].used_bytes[0], 150u);
  EXPECT_TRUE(snapshot_->cards[0].exact);
  EXPECT_EQ(snapshot_->cards[0].peak_bytes, 150u);
}

TEST_F(SnapshotTest, SaysWhenTheCopyIsTorn) {
  Take(7, 1, "a");
  CardLedger ledger(*page_, 0);
  ASSERT_EQ(ledger.Reserve(7, 600, 1000), Verdict::kGranted);
  page_->slots[7].used[0] = PackPart({.bytes = 100, .sequence = 1, .version = 3});
  ASSERT_EQ(Read(), SnapshotVerdict::kValid);
  EXPECT_FALSE(snapshot_->cards[0].exact);
}

TEST_F(SnapshotTest, ShowsBytesThatNobodyOwns) {
  page_->slots[5].used[2] = PackPart({.bytes = 40, .sequence = 0, .version = 1});
  ASSERT_EQ(Read(), SnapshotVerdict::kValid);
  ASSERT_EQ(snapshot_->process_count, 1u);
  EXPECT_FALSE(snapshot_->processes[0].taken);
  EXPECT_EQ(snapshot_->processes[0].used_bytes[2], 40u);
}

TEST_F(SnapshotTest, DisarmsTheCommand) {
  Take(0, 1, "\x1b[2J\x07xyzabcdefghi");  // all 16 bytes, no NUL
  ASSERT_EQ(Read(), SnapshotVerdict::kValid);
  EXPECT_STREQ(snapshot_->processes[0].command, "?[2J?xyzabcdefgh");
}

TEST_F(SnapshotTest, RefusesWhatIsNoUsageFileOfThisVersion) {
  EXPECT_EQ(Read(sizeof(abi::UsagePageV1) - 1), SnapshotVerdict::kTooShort);
  EXPECT_EQ(Read(0), SnapshotVerdict::kTooShort);
  page_->minor = 9;
  EXPECT_EQ(Read(), SnapshotVerdict::kValid);
  page_->major = 2;
  EXPECT_EQ(Read(), SnapshotVerdict::kOtherVersion);
  page_->major = 1;
  page_->size = 4096;
  EXPECT_EQ(Read(), SnapshotVerdict::kNotUsage);
  page_->size = sizeof(abi::UsagePageV1);
  page_->magic = 0;
  EXPECT_EQ(Read(), SnapshotVerdict::kNotUsage);
}

TEST_F(SnapshotTest, StaysWithinItsBoundsOnGarbage) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20; ++round) {
    auto* words = reinterpret_cast<uint64_t*>(page_->cards);
    const size_t count = (sizeof(*page_) - offsetof(abi::UsagePageV1, cards)) / sizeof(uint64_t);
    for (size_t i = 0; i < count; ++i) words[i] = random();
    ASSERT_EQ(Read(), SnapshotVerdict::kValid);
    ASSERT_LE(snapshot_->process_count, abi::kMaxSlots);
    for (const CardSnapshot& card : snapshot_->cards) {
      EXPECT_LE(card.total_bytes, card.peak_bytes);
      EXPECT_LE(card.peak_bytes, kMaxBytes);
    }
  }
}

}  // namespace
}  // namespace warpshare::ledger
