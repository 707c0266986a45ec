#include "ledger/memory_slot.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "ledger/card_ledger.h"

namespace warpshare::ledger {
namespace {

constexpr uint64_t kNamespace = 4'026'531'836;
constexpr uint32_t kMaker = 70;
constexpr MemoryName kFirst{.pid = kMaker, .pid_namespace = kNamespace, .serial = 1, .common = 0};
constexpr MemoryName kSecond{.pid = kMaker, .pid_namespace = kNamespace, .serial = 2, .common = 0};
constexpr MemoryName kFabric{.pid = 0, .pid_namespace = 0, .serial = 0, .common = 0x1234};

bool IsGone(int /*pid*/) { return true; }
bool Lives(int /*pid*/) { return false; }

class MemorySlotTest : public testing::Test {
 protected:
  MemorySlotTest()
      : page_(static_cast<abi::UsagePageV1*>(mmap(nullptr, sizeof(abi::UsagePageV1),
                                                  PROT_READ | PROT_WRITE,
                                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~MemorySlotTest() override { munmap(page_, sizeof(*page_)); }

  // Of those for memory.
  MemorySlot Take(uint32_t number, const MemoryName& name) {
    const uint32_t slot = abi::kProcessSlots + number;
    return {.slot = slot, .generation = TakeSlot(*page_, slot, OwnerOf(name))};
  }
  bool IsMadeByMaker(const MemorySlot& memory) const {
    OwnerIdentity owner{};
    uint64_t generation = 0;
    return ReadOwner(*page_, memory.slot, owner, generation) && IsMadeBy(owner, kMaker, kNamespace);
  }

  abi::UsagePageV1* page_;
};

TEST_F(MemorySlotTest, MemoryIsFoundByItsMakersNumberOrByACommonName) {
  const MemorySlot first = Take(2, kFirst);
  const MemorySlot second = Take(5, kSecond);
  const MemorySlot fabric = Take(6, kFabric);
  EXPECT_EQ(FindMemory(*page_, kFirst), first);
  EXPECT_EQ(FindMemory(*page_, kSecond), second);
  EXPECT_EQ(FindMemory(*page_, kFabric), fabric);
  EXPECT_EQ(MemoryCeiling(*page_), abi::kProcessSlots + 7);
  EXPECT_EQ(SlotCeiling(*page_), 0u) << "whoever looks for processes need not look there";
}

TEST_F(MemorySlotTest, AnothersMemoryIsNotFound) {
  Take(2, kFirst);
  MemoryName other = kFirst;
  other.pid = kMaker + 1;
  EXPECT_FALSE(FindMemory(*page_, other));
  other = kFirst;
  other.pid_namespace += 1;
  EXPECT_FALSE(FindMemory(*page_, other));
}

TEST_F(MemorySlotTest, AProcessIsNoMemory) {
  const OwnerIdentity self{
      .pid = 7, .start_time = 100, .pid_namespace = 5, .exec_mark = 9, .command = "self"};
  TakeSlot(*page_, 0, self);
  EXPECT_EQ(MemoryCeiling(*page_), abi::kProcessSlots);
  EXPECT_FALSE(FindMemory(*page_, {.pid = 0, .pid_namespace = 0, .serial = 0, .common = 100}));
}

TEST_F(MemorySlotTest, OfTwoOfOneNameNeitherIsFound) {
  Take(2, kFirst);
  Take(3, kFirst);
  EXPECT_FALSE(FindMemory(*page_, kFirst));
}

TEST_F(MemorySlotTest, WhatAMakerHasIsItsOwnUntilItLetsGo) {
  const MemorySlot memory = Take(2, kFirst);
  EXPECT_TRUE(IsMadeByMaker(memory));
  LetGo(*page_, memory);
  EXPECT_FALSE(IsMadeByMaker(memory));
  EXPECT_EQ(FindMemory(*page_, kFirst), memory);
}

TEST_F(MemorySlotTest, AnOrphanIsFoundByItsSerialAlone) {
  const MemorySlot memory = Take(2, kFirst);
  const Orphan orphan{.pid_namespace = kNamespace, .serial = 1};
  EXPECT_FALSE(FindOrphan(*page_, orphan, Lives)) << "its maker has it";
  EXPECT_EQ(FindOrphan(*page_, orphan, IsGone), memory);
  LetGo(*page_, memory);
  EXPECT_EQ(FindOrphan(*page_, orphan, Lives), memory);
  EXPECT_FALSE(FindOrphan(*page_, {.pid_namespace = kNamespace, .serial = 2}, IsGone));
}

TEST_F(MemorySlotTest, TellsWhichSerialsAreInUse) {
  Take(1, kFabric);
  EXPECT_EQ(SerialsInUse(*page_), 0u);
  Take(2, kSecond);
  const MemorySlot last = Take(3, {.pid = 5, .pid_namespace = 1, .serial = 64, .common = 0});
  EXPECT_EQ(SerialsInUse(*page_), uint64_t{1} << 63 | uint64_t{1} << 1);
  GiveBackDead(*page_, last.slot, last.generation);
  EXPECT_EQ(SerialsInUse(*page_), uint64_t{1} << 1);
}

TEST_F(MemorySlotTest, ASlotThatWasGivenBackIsNoMemoryAnyMore) {
  const MemorySlot memory = Take(2, kFirst);
  ASSERT_EQ(CardLedger(*page_, 0).Reserve(memory.slot, 500, abi::kNoLimit), Verdict::kGranted);
  EXPECT_TRUE(IsThere(*page_, memory));
  EXPECT_EQ(GiveBackDead(*page_, memory.slot, memory.generation), 500u);
  EXPECT_FALSE(IsThere(*page_, memory));
  EXPECT_FALSE(FindMemory(*page_, kFirst));
  LetGo(*page_, memory);
  const MemorySlot next = Take(2, kSecond);
  EXPECT_TRUE(IsMadeByMaker(next)) << "what was said of the one before does not count";
}

}  // namespace
}  // namespace warpshare::ledger
