#include "ledger/slot_table.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ledger/card_ledger.h"

namespace warpshare::ledger {
namespace {

constexpr OwnerIdentity kSelf{
    .pid = 7, .start_time = 100, .pid_namespace = 5, .exec_mark = 9, .command = "self"};

class SlotTableTest : public testing::Test {
 protected:
  SlotTableTest()
      : page_(static_cast<abi::UsagePageV1*>(mmap(nullptr, sizeof(abi::UsagePageV1),
                                                  PROT_READ | PROT_WRITE,
                                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SlotTableTest() override { munmap(page_, sizeof(*page_)); }

  uint64_t Total(uint32_t card) const { return CardLedger(*page_, card).TotalBytes(); }

  abi::UsagePageV1* page_;
};

TEST_F(SlotTableTest, ATakenSlotTellsItsOwner) {
  const uint64_t generation = TakeSlot(*page_, 3, kSelf);
  ASSERT_TRUE(IsTaken(generation));
  EXPECT_EQ(SlotCeiling(*page_), 4u);
  OwnerIdentity owner{};
  uint64_t seen = 0;
  ASSERT_TRUE(ReadOwner(*page_, 3, owner, seen));
  EXPECT_EQ(seen, generation);
  EXPECT_EQ(page_->slots[3].tells_over, generation);
  EXPECT_EQ(owner.pid, 7u);
  EXPECT_EQ(owner.start_time, 100u);
  EXPECT_EQ(owner.pid_namespace, 5u);
  EXPECT_EQ(owner.exec_mark, 9u);
  EXPECT_STREQ(owner.command, "self");
}

TEST_F(SlotTableTest, ATakenSlotIsNotTakenAgain) {
  ASSERT_NE(TakeSlot(*page_, 0, kSelf), 0u);
  EXPECT_EQ(TakeSlot(*page_, 0, kSelf), 0u);
}

TEST_F(SlotTableTest, ADeadOwnersBytesComeBackOnEveryCard) {
  const uint64_t generation = TakeSlot(*page_, 1, kSelf);
  ASSERT_EQ(CardLedger(*page_, 0).Reserve(1, 100, 1000), Verdict::kGranted);
  ASSERT_EQ(CardLedger(*page_, 15).Reserve(1, 30, 1000), Verdict::kGranted);
  EXPECT_TRUE(HoldsBytes(*page_, 1));
  EXPECT_EQ(GiveBackDead(*page_, 1, generation), 130u);
  EXPECT_FALSE(HoldsBytes(*page_, 1));
  EXPECT_EQ(Total(0), 0u);
  EXPECT_EQ(Total(15), 0u);
  EXPECT_NE(TakeSlot(*page_, 1, kSelf), 0u);
}

TEST_F(SlotTableTest, AVerdictOnAFormerOwnerDoesNotTouchTheNewOne) {
  const uint64_t former = TakeSlot(*page_, 1, kSelf);
  GiveBackDead(*page_, 1, former);
  const uint64_t now = TakeSlot(*page_, 1, kSelf);
  ASSERT_EQ(CardLedger(*page_, 0).Reserve(1, 100, 1000), Verdict::kGranted);
  EXPECT_EQ(GiveBackDead(*page_, 1, former), 0u);
  EXPECT_EQ(ReapFree(*page_, 1), 0u);
  EXPECT_EQ(Total(0), 100u);
  EXPECT_EQ(page_->slots[1].owner.generation.load(), now);
}

TEST_F(SlotTableTest, BytesLeftInAFreeSlotByAKilledReaperAreTakenBack) {
  const uint64_t generation = TakeSlot(*page_, 2, kSelf);
  ASSERT_EQ(CardLedger(*page_, 0).Reserve(2, 100, 1000), Verdict::kGranted);
  page_->slots[2].owner.generation = generation + 1;  // where the reaper was killed
  EXPECT_EQ(ReapFree(*page_, 2), 100u);
  EXPECT_EQ(Total(0), 0u);
}

TEST_F(SlotTableTest, ATakerStartsEmptyEvenIfNobodyReaped) {
  const uint64_t generation = TakeSlot(*page_, 2, kSelf);
  ASSERT_EQ(CardLedger(*page_, 0).Reserve(2, 100, 1000), Verdict::kGranted);
  page_->slots[2].owner.generation = generation + 1;
  ASSERT_NE(TakeSlot(*page_, 2, kSelf), 0u);
  EXPECT_EQ(CardLedger(*page_, 0).PartBytes(2), 0u);
  EXPECT_EQ(Total(0), 0u);
}

TEST_F(SlotTableTest, ATakerHasNoWorkOfTheOneBefore) {
  const uint64_t generation = TakeSlot(*page_, 2, kSelf);
  page_->slots[2].work[1].waits_since_ns = 5;
  page_->slots[2].work[15].used_ns = 7;
  page_->slots[2].awaited_us_plus_1[15] = 9;
  GiveBackDead(*page_, 2, generation);
  ASSERT_NE(TakeSlot(*page_, 2, kSelf), 0u);
  EXPECT_EQ(page_->slots[2].work[1].waits_since_ns, 0u);
  EXPECT_EQ(page_->slots[2].work[15].used_ns, 0u);
  EXPECT_EQ(page_->slots[2].awaited_us_plus_1[15], 0u);
}

TEST_F(SlotTableTest, OfManyReapersOneGetsTheBytes) {
  for (int round = 0; round < 200; ++round) {
    const uint64_t generation = TakeSlot(*page_, 0, kSelf);
    ASSERT_EQ(CardLedger(*page_, 0).Reserve(0, 64, 1000), Verdict::kGranted);
    std::atomic<uint64_t> freed = 0;
    std::vector<std::thread> reapers;
    for (int i = 0; i < 4; ++i) {
      reapers.emplace_back([&] { freed += GiveBackDead(*page_, 0, generation); });
    }
    for (std::thread& reaper : reapers) reaper.join();
    ASSERT_EQ(freed, 64u);
    ASSERT_EQ(Total(0), 0u);
  }
}

TEST_F(SlotTableTest, AHostileCeilingStaysWithinTheFile) {
  page_->slot_ceiling = UINT32_MAX;
  EXPECT_EQ(SlotCeiling(*page_), abi::kProcessSlots);
  page_->memory_ceiling = UINT32_MAX;
  EXPECT_EQ(MemoryCeiling(*page_), abi::kMaxSlots);
  page_->memory_ceiling = 1;
  EXPECT_EQ(MemoryCeiling(*page_), abi::kProcessSlots);
}

}  // namespace
}  // namespace warpshare::ledger
