#include "ledger/card_ledger.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "ledger/pair_atomics.h"
#include "ledger/room.h"
#include "ledger/slot_table.h"

namespace warpshare::ledger {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

class CardLedgerTest : public testing::Test {
 protected:
  CardLedgerTest()
      : page_(static_cast<abi::UsagePageV1*>(mmap(nullptr, sizeof(abi::UsagePageV1),
                                                  PROT_READ | PROT_WRITE,
                                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
        ledger_(*page_, 0) {}
  ~CardLedgerTest() override { munmap(page_, sizeof(*page_)); }

  uint64_t SumOfParts() {
    uint64_t sum = 0;
    for (uint32_t slot = 0; slot < abi::kMaxSlots; ++slot) sum += ledger_.PartBytes(slot);
    return sum;
  }

  // Returns once `count` different totals have been seen; on a busy machine, where few can be seen,
  // with at least one after some time.
  void AwaitChanges(int count) const {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    uint64_t last = __atomic_load_n(&page_->cards[0].total.high, __ATOMIC_RELAXED);
    for (int seen = 0; seen < count;) {
      const uint64_t now = __atomic_load_n(&page_->cards[0].total.high, __ATOMIC_RELAXED);
      seen += now != last;
      last = now;
      if (seen > 0 && std::chrono::steady_clock::now() > patience) break;
    }
  }

  static bool Dead(void*) { return true; }
  static bool Alive(void*) { return false; }

  abi::UsagePageV1* page_;
  CardLedger ledger_;
};

TEST_F(CardLedgerTest, GrantsUpToTheLimitToTheByteAndNotOneMore) {
  EXPECT_EQ(ledger_.Reserve(3, 600, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.Reserve(4, 401, 1000), Verdict::kOverLimit);
  EXPECT_EQ(ledger_.Reserve(4, 400, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.Reserve(4, 1, 1000), Verdict::kOverLimit);
  EXPECT_EQ(ledger_.TotalBytes(), 1000u);
  EXPECT_EQ(ledger_.PartBytes(3), 600u);
  EXPECT_EQ(ledger_.PartBytes(4), 400u);
}

TEST_F(CardLedgerTest, RefusesWithoutOverflowWhatNoCardHas) {
  EXPECT_EQ(ledger_.Reserve(0, 1, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.Reserve(0, UINT64_MAX, 1000), Verdict::kOverLimit);
  EXPECT_EQ(ledger_.Reserve(0, UINT64_MAX, abi::kNoLimit), Verdict::kOverLimit);
  EXPECT_EQ(ledger_.Reserve(0, kMaxBytes - 1, abi::kNoLimit), Verdict::kGranted);
}

TEST_F(CardLedgerTest, RefusesEverythingWhileTheLimitIsBelowTheUse) {
  ASSERT_EQ(ledger_.Reserve(0, 1000, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.Reserve(0, 0, 500), Verdict::kOverLimit);
  ledger_.Release(0, 600);
  EXPECT_EQ(ledger_.Reserve(0, 100, 500), Verdict::kGranted);
}

TEST_F(CardLedgerTest, KeepsThePeakAndCountsRefusalsOnlyWhenTold) {
  ASSERT_EQ(ledger_.Reserve(0, 700, 1000), Verdict::kGranted);
  ledger_.Release(0, 700);
  ASSERT_EQ(ledger_.Reserve(0, 100, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.PeakBytes(), 700u);
  EXPECT_EQ(ledger_.Refusals(), 0u);
  ledger_.CountRefusal();
  EXPECT_EQ(ledger_.Refusals(), 1u);
}

TEST_F(CardLedgerTest, RoomThatIsOnlyHeldDoesNotRaiseThePeak) {
  ASSERT_EQ(ledger_.ReserveRoom(0, 900, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.ReserveRoom(1, 101, 1000), Verdict::kOverLimit);
  ledger_.Release(0, 600);
  EXPECT_EQ(ledger_.PeakBytes(), 0u);
  ledger_.NotePeak();
  EXPECT_EQ(ledger_.PeakBytes(), 300u);
}

// What moves from one part to another is in both for a moment, which others see as room.
TEST_F(CardLedgerTest, BytesThatMoveBetweenPartsAreNoPeak) {
  for (const uint32_t slot : {0, 1}) ASSERT_NE(TakeSlot(*page_, slot, OwnerIdentity{}), 0u);
  ASSERT_EQ(ledger_.Reserve(0, 1000, 1000), Verdict::kGranted);
  std::atomic<bool> is_over{false};
  std::thread mover([&] {
    for (uint32_t move = 0; move < 200'000; ++move) {
      AnnounceRoom(*page_, 0, 0, 1000);
      (void)ledger_.ReserveRoom((move + 1) % 2, 1000, abi::kNoLimit);
      ledger_.Release(move % 2, 1000);
      WithdrawRoom(*page_, 0, 0, 1000);
    }
    is_over = true;
  });
  while (!is_over) ledger_.NotePeak();
  mover.join();
  EXPECT_EQ(ledger_.PeakBytes(), 1000u);
}

TEST_F(CardLedgerTest, WhatIsFirmIsTheTotalWithoutRoom) {
  ASSERT_NE(TakeSlot(*page_, 1, OwnerIdentity{}), 0u);
  AnnounceRoom(*page_, 0, 1, 300);
  ASSERT_EQ(ledger_.ReserveRoom(1, 300, 1000), Verdict::kGranted);
  ASSERT_EQ(ledger_.Reserve(0, 700, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.FirmBytes(), 700u);
  EXPECT_EQ(ledger_.PeakBytes(), 700u);
}

// Whoever is told that something does not fit is told by this.
TEST_F(CardLedgerTest, WhatIsFirmIsNeverMoreThanThereIs) {
  for (const uint32_t slot : {0, 1}) ASSERT_NE(TakeSlot(*page_, slot, OwnerIdentity{}), 0u);
  std::atomic<int> holding = 2;
  const auto hold = [&](uint32_t slot) {
    for (int n = 0; n < 100'000; ++n) {
      AnnounceRoom(*page_, 0, slot, 1000);
      (void)ledger_.ReserveRoom(slot, 1000, abi::kNoLimit);
      ledger_.Release(slot, 1000);
      WithdrawRoom(*page_, 0, slot, 1000);
    }
    --holding;
  };
  std::thread first(hold, 0);
  std::thread second(hold, 1);
  uint64_t highest = 0;
  while (holding != 0) highest = std::max(highest, ledger_.FirmBytes().value_or(0));
  first.join();
  second.join();
  EXPECT_EQ(highest, 0u);
  EXPECT_EQ(ledger_.FirmBytes(), 0u);
}

TEST_F(CardLedgerTest, GivesBackAllOfADeadSlotAndNothingOfALiveOne) {
  ASSERT_EQ(ledger_.Reserve(1, 300, 1000), Verdict::kGranted);
  ASSERT_EQ(ledger_.Reserve(2, 200, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.Reap(1, Alive, nullptr), 0u);
  EXPECT_EQ(ledger_.Reap(1, Dead, nullptr), 300u);
  EXPECT_EQ(ledger_.Reap(1, Dead, nullptr), 0u);
  EXPECT_EQ(ledger_.TotalBytes(), 200u);
  EXPECT_EQ(ledger_.PartBytes(2), 200u);
}

// A process that dies after its swap of the total leaves just this: the change is owed to its part.
TEST_F(CardLedgerTest, KnowsThePartOfAnOwnerWhoseLastChangesAreStillOwed) {
  ASSERT_EQ(ledger_.Reserve(7, 200, 1000), Verdict::kGranted);
  ledger_.Release(7, 50);
  EXPECT_EQ(UnpackPart(LoadWhole(page_->slots[7].used[0])).bytes, 0u);
  EXPECT_EQ(ledger_.PartBytes(7), 150u);
  ASSERT_EQ(ledger_.Reserve(1, 50, 1000), Verdict::kGranted);
  EXPECT_EQ(UnpackPart(LoadWhole(page_->slots[7].used[0])).bytes, 150u);
  EXPECT_EQ(ledger_.PartBytes(7), 150u);
  EXPECT_EQ(ledger_.Reap(7, Dead, nullptr), 150u);
  EXPECT_EQ(ledger_.TotalBytes(), 50u);
  EXPECT_EQ(SumOfParts(), 50u);
}

// Somebody closed the owed change and died before he applied it.
TEST_F(CardLedgerTest, CompletesAChangeThatWasClosedAndNotApplied) {
  ASSERT_EQ(ledger_.Reserve(7, 150, 1000), Verdict::kGranted);
  Total total = Unpack(LoadWhole(page_->cards[0].total));
  ASSERT_TRUE(total.open);
  total.open = false;
  page_->cards[0].total = Pack(total);
  EXPECT_EQ(ledger_.PartBytes(7), 150u);
  ASSERT_EQ(ledger_.Reserve(7, 100, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.PartBytes(7), 250u);
  EXPECT_EQ(ledger_.Reap(7, Dead, nullptr), 250u);
  EXPECT_EQ(ledger_.TotalBytes(), 0u);
}

// Somebody closed and applied it and died before he replaced the total.
TEST_F(CardLedgerTest, DoesNotApplyAgainWhatWasApplied) {
  ASSERT_EQ(ledger_.Reserve(7, 150, 1000), Verdict::kGranted);
  Total total = Unpack(LoadWhole(page_->cards[0].total));
  total.open = false;
  page_->cards[0].total = Pack(total);
  page_->slots[7].used[0] = PackPart({.bytes = 150, .sequence = total.sequence, .version = 1});
  EXPECT_EQ(ledger_.PartBytes(7), 150u);
  ASSERT_EQ(ledger_.Reserve(7, 100, 1000), Verdict::kGranted);
  ASSERT_EQ(ledger_.Reserve(8, 1, 1000), Verdict::kGranted);
  EXPECT_EQ(ledger_.PartBytes(7), 250u);
  EXPECT_EQ(SumOfParts(), 251u);
}

TEST_F(CardLedgerTest, AddsUpRunsOfChangesInBothDirections) {
  std::mt19937 random(1);
  uint64_t held[3] = {};
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t slot = random() % 100 == 0 ? random() % 3 : 0;  // long runs of one slot
    const uint64_t bytes = random() % 1000;
    if (random() % 2 == 0) {
      ASSERT_EQ(ledger_.Reserve(slot, bytes, abi::kNoLimit), Verdict::kGranted);
      held[slot] += bytes;
    } else if (bytes <= held[slot]) {
      ledger_.Release(slot, bytes);
      held[slot] -= bytes;
    }
    ASSERT_EQ(ledger_.PartBytes(slot), held[slot]);
  }
  EXPECT_EQ(ledger_.TotalBytes(), held[0] + held[1] + held[2]);
  EXPECT_EQ(SumOfParts(), ledger_.TotalBytes());
}

// A reaper that dies after its own swap of the total.
TEST_F(CardLedgerTest, CompletesAReapWhoseReaperDied) {
  ASSERT_EQ(ledger_.Reserve(9, 300, 1000), Verdict::kGranted);
  ASSERT_EQ(ledger_.Reserve(1, 0, 1000), Verdict::kGranted);  // the 300 are applied
  ASSERT_EQ(ledger_.Reserve(9, 0, 1000), Verdict::kGranted);
  ledger_.Release(9, 300);
  EXPECT_EQ(ledger_.Reap(9, Dead, nullptr), 0u);
  EXPECT_EQ(ledger_.TotalBytes(), 0u);
  EXPECT_EQ(ledger_.PartBytes(9), 0u);
}

TEST_F(CardLedgerTest, PacksTotalsWithoutLoss) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const abi::Pair word{random(), random()};
    if (Unpack(word).negative && Unpack(word).delta == 0) continue;  // -2^44: no change has it
    ASSERT_TRUE(Pack(Unpack(word)) == word);
  }
}

TEST_F(CardLedgerTest, NeverReusesTheSequenceThatThePartAlreadyHas) {
  page_->slots[5].used[0] = PackPart({.bytes = 40, .sequence = 1, .version = 1});
  page_->cards[0].total =
      Pack({.bytes = 40, .slot = 0, .delta = 0, .negative = false, .sequence = 0});
  ASSERT_EQ(ledger_.Reserve(5, 2, 1000),
            Verdict::kGranted);  // sequence 1 is taken by the part
  EXPECT_EQ(ledger_.PartBytes(5), 42u);
}

TEST_F(CardLedgerTest, StaysInBoundsOnGarbage) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 1000; ++round) {
    page_->cards[0].total = {random(), random()};
    page_->slots[random() % abi::kMaxSlots].used[0] = {random(), random()};
    (void)ledger_.Reserve(1, random(), random());
    ledger_.Release(2, random());
    (void)ledger_.Reap(3, Dead, nullptr);
  }
}

TEST_F(CardLedgerTest, StaysExactUnderManyThreads) {
  constexpr uint64_t kLimit = 100;
  std::atomic<uint64_t> held{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (uint32_t slot = 0; slot < 8; ++slot) {
    threads.emplace_back([&, slot] {
      std::mt19937 random(slot);
      for (int i = 0; i < 20'000; ++i) {
        const uint64_t bytes = random() % 40;
        if (ledger_.Reserve(slot % 3, bytes, kLimit) != Verdict::kGranted) continue;
        if (held.fetch_add(bytes) + bytes > kLimit) over = true;
        held.fetch_sub(bytes);
        ledger_.Release(slot % 3, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(over);
  EXPECT_EQ(ledger_.TotalBytes(), 0u);
  EXPECT_EQ(SumOfParts(), 0u);
  EXPECT_LE(ledger_.PeakBytes(), kLimit);
}

// Children change the account as fast as they can and are killed wherever they happen to be.
TEST_F(CardLedgerTest, LosesNoByteWhenProcessesAreKilledAnywhere) {
  constexpr uint64_t kLimit = 64 * kMiB;
  for (int round = 0; round < 100; ++round) {
    pid_t children[3];
    for (uint32_t slot = 0; slot < 3; ++slot) {
      children[slot] = fork();
      if (children[slot] != 0) continue;
      std::mt19937 random(round * 3 + slot);
      while (true) {
        const uint64_t bytes = random() % (30 * kMiB);
        if (ledger_.Reserve(slot, bytes, kLimit) == Verdict::kGranted) ledger_.Release(slot, bytes);
      }
    }
    AwaitChanges(1 + round % 7 * 50);
    for (const pid_t child : children) kill(child, SIGKILL);
    for (const pid_t child : children) waitpid(child, nullptr, 0);
    ASSERT_LE(ledger_.TotalBytes(), kLimit);
    for (uint32_t slot = 0; slot < 3; ++slot) ledger_.Reap(slot, Dead, nullptr);
    ASSERT_EQ(ledger_.TotalBytes(), 0u) << "round " << round;
    ASSERT_EQ(SumOfParts(), 0u) << "round " << round;
  }
}

}  // namespace
}  // namespace warpshare::ledger
