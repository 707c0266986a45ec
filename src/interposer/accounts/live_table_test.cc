#include "interposer/accounts/live_table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <memory>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

#include "interposer/guest/fork_wiped.h"

namespace warpshare::interposer {
namespace {

Live OfBytes(uint64_t bytes) { return {.bytes = bytes, .card = 0, .kind = 1, .owner = 7}; }

class LiveTableTest : public testing::Test {
 protected:
  LiveTableTest() : table_(*new(Memory()) LiveTable) {}
  static void* Memory() { return guest::MapZeroed(sizeof(LiveTable), /*wiped=*/false); }
  LiveTable::Added Add(uint64_t key, const Live& live) { return table_.Add(key, live, replaced_); }

  LiveTable& table_;
  Live replaced_{};
};

TEST_F(LiveTableTest, KnowsNothingAtFirst) {
  Live live;
  EXPECT_FALSE(table_.Take(0x7f00'0000'0000, live));
  EXPECT_FALSE(table_.Find(1, live));
  EXPECT_EQ(table_.Size(), 0u);
}

TEST_F(LiveTableTest, GivesBackWhatWasAddedAndOnlyOnce) {
  ASSERT_EQ(Add(0x1000, {.bytes = 5, .card = 3, .kind = 2, .owner = 9}), LiveTable::Added::kNew);
  Live live;
  ASSERT_TRUE(table_.Take(0x1000, live));
  EXPECT_EQ(live.bytes, 5u);
  EXPECT_EQ(live.card, 3u);
  EXPECT_EQ(live.kind, 2u);
  EXPECT_EQ(live.owner, 9u);
  EXPECT_FALSE(table_.Take(0x1000, live));
}

TEST_F(LiveTableTest, HandsOutTheDeadEntryThatANewOneReplaces) {
  ASSERT_EQ(Add(0x1000, OfBytes(5)), LiveTable::Added::kNew);
  ASSERT_EQ(Add(0x1000, OfBytes(8)), LiveTable::Added::kReplaced);
  EXPECT_EQ(replaced_.bytes, 5u);
  EXPECT_EQ(table_.BytesOn(0), 8u);
}

TEST_F(LiveTableTest, DoesNotPutBackOverAKeyThatWasGivenOutAgain) {
  Live taken;
  ASSERT_EQ(Add(0x1000, OfBytes(5)), LiveTable::Added::kNew);
  ASSERT_TRUE(table_.Take(0x1000, taken));
  ASSERT_EQ(Add(0x1000, OfBytes(8)), LiveTable::Added::kNew);
  EXPECT_FALSE(table_.PutBack(0x1000, taken));
  ASSERT_TRUE(table_.Take(0x1000, taken));
  EXPECT_EQ(taken.bytes, 8u);
  EXPECT_TRUE(table_.PutBack(0x1000, taken));
}

TEST_F(LiveTableTest, TakesAnEntryOfAKindAndLeavesOneOfAnother) {
  Live taken;
  for (uint64_t key = 1; key <= 1000; ++key) {  // some stand behind others
    const Live live{.bytes = 1, .card = 0, .kind = static_cast<uint8_t>(key % 2), .owner = 0};
    ASSERT_EQ(Add(key, live), LiveTable::Added::kNew);
  }
  for (uint64_t key = 1; key <= 1000; ++key) {
    EXPECT_EQ(table_.TakeOf(1, key, taken), key % 2 == 1);
  }
  EXPECT_EQ(table_.Size(), 500u);
  EXPECT_TRUE(table_.TakeOf(0, 1000, taken));
}

TEST_F(LiveTableTest, TakesAllThatAreMeant) {
  for (uint64_t i = 1; i <= 1000; ++i) {
    const Live live{.bytes = 1, .card = 0, .kind = static_cast<uint8_t>(i % 2), .owner = i % 3};
    ASSERT_EQ(Add(i << 9, live), LiveTable::Added::kNew);
  }
  uint64_t taken = 0;
  table_.TakeIf([](uint64_t, const Live& live) { return live.owner == 2 && live.kind == 1; },
                [&](uint64_t key, const Live& live) {
                  EXPECT_EQ((key >> 9) % 3, 2u);
                  EXPECT_EQ(live.kind, 1u);
                  ++taken;
                });
  EXPECT_EQ(taken, 166u);
  EXPECT_EQ(table_.Size(), 834u);
  EXPECT_EQ(table_.BytesOn(0), 834u);
}

TEST_F(LiveTableTest, AgreesWithAMapThroughAnyRunOfChanges) {
  std::unordered_map<uint64_t, uint64_t> model;
  std::mt19937_64 random(11);
  for (int i = 0; i < 400'000; ++i) {
    const uint64_t key = (1 + random() % 20'000) << 21;
    Live live;
    if (random() % 2 == 0) {
      const bool known = model.contains(key);
      ASSERT_EQ(Add(key, OfBytes(i)), known ? LiveTable::Added::kReplaced : LiveTable::Added::kNew);
      model[key] = static_cast<uint64_t>(i);
    } else {
      ASSERT_EQ(table_.Take(key, live), model.contains(key));
      if (model.contains(key)) {
        ASSERT_EQ(live.bytes, model[key]);
      }
      model.erase(key);
    }
  }
  EXPECT_EQ(table_.Size(), model.size());
  uint64_t sum = 0;
  for (const auto& [key, bytes] : model) sum += bytes;
  EXPECT_EQ(table_.BytesOn(0), sum);
}

TEST_F(LiveTableTest, LetsOneOfManyThreadsTakeAnEntry) {
  constexpr uint64_t kKeys = 20'000;
  for (uint64_t key = 1; key <= kKeys; ++key)
    ASSERT_EQ(Add(key << 9, OfBytes(1)), LiveTable::Added::kNew);
  std::atomic<uint64_t> taken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Live live;
      for (uint64_t key = 1; key <= kKeys; ++key) taken += table_.Take(key << 9, live);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, kKeys);
  EXPECT_EQ(table_.Size(), 0u);
}

TEST_F(LiveTableTest, GrowsUnderThreadsThatAddAndTake) {
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Live live;
      for (uint64_t n = 1; n <= 30'000; ++n) {
        const uint64_t key = (i << 48) | (n << 12);
        ASSERT_EQ(table_.Add(key, OfBytes(n), live), LiveTable::Added::kNew);
        if (n % 3 == 0) {
          ASSERT_TRUE(table_.Take(key, live));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(table_.Size(), 80'000u);
}

class EmptiedLiveTableTest : public LiveTableTest {
 protected:
  EmptiedLiveTableTest() {
    for (uint64_t key = 1; key <= kFew; ++key) EXPECT_EQ(Add(key, OfBytes(key)), kNew);
    few_capacity_ = table_.Capacity();
    for (uint64_t key = kFew + 1; key <= kMany; ++key) EXPECT_EQ(Add(key, OfBytes(key)), kNew);
    EXPECT_GT(table_.Capacity(), 64 * few_capacity_);
  }
  void ExpectOnlyTheFewInLittleRoom() {
    EXPECT_EQ(table_.Capacity(), few_capacity_);
    EXPECT_EQ(table_.Size(), kFew);
    Live live;
    for (uint64_t key = 1; key <= kFew; ++key) {
      ASSERT_TRUE(table_.Take(key, live));
      EXPECT_EQ(live.bytes, key);
    }
    EXPECT_EQ(table_.BytesOn(0), 0u);
  }

  static constexpr LiveTable::Added kNew = LiveTable::Added::kNew;
  static constexpr uint64_t kFew = 32;
  static constexpr uint64_t kMany = 100'000;
  uint64_t few_capacity_ = 0;
};

TEST_F(EmptiedLiveTableTest, GivesItsRoomBackWhenNearlyAllWereTakenOneByOne) {
  Live live;
  for (uint64_t key = kFew + 1; key <= kMany; ++key) ASSERT_TRUE(table_.Take(key, live));
  ExpectOnlyTheFewInLittleRoom();
}

TEST_F(EmptiedLiveTableTest, GivesItsRoomBackWhenNearlyAllWereTakenAtOnce) {
  table_.TakeIf([](uint64_t key, const Live&) { return key > kFew; }, [](uint64_t, const Live&) {});
  ExpectOnlyTheFewInLittleRoom();
}

TEST_F(EmptiedLiveTableTest, KeepsItsRoomWhileItIsUsed) {
  const uint64_t capacity = table_.Capacity();
  Live live;
  for (uint64_t key = kMany / 2; key <= kMany; ++key) ASSERT_TRUE(table_.Take(key, live));
  EXPECT_EQ(table_.Capacity(), capacity);
}

TEST_F(LiveTableTest, ShrinksUnderThreadsThatTakeAllAndAddAgain) {
  constexpr uint64_t kThreads = 4;
  constexpr uint64_t kKeys = 20'000;
  std::vector<uint64_t> capacities;  // after each phase
  std::barrier phase(kThreads, [&]() noexcept { capacities.push_back(table_.Capacity()); });
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto key = [i](uint64_t n) { return (i << 48) | (n << 12); };
      Live live;
      for (int round = 0; round < 3; ++round) {
        for (uint64_t n = 1; n <= kKeys; ++n)
          EXPECT_EQ(table_.Add(key(n), OfBytes(n), live), LiveTable::Added::kNew);
        phase.arrive_and_wait();
        for (uint64_t n = 1; n <= kKeys; ++n)
          EXPECT_TRUE(table_.Take(key(n), live) && live.bytes == n);
        phase.arrive_and_wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(capacities.size(), 6u);
  for (size_t full = 0; full < capacities.size(); full += 2)
    EXPECT_GE(capacities[full], 64 * capacities[full + 1]);
  EXPECT_EQ(table_.Size(), 0u);
  EXPECT_EQ(table_.BytesOn(0), 0u);
}

constinit guest::ForkWiped<LiveTable> g_table = {};

TEST(LiveTableFork, IsEmptyInAForkChild) {
  Live live{};
  ASSERT_EQ(g_table.Get().Add(0x1000, OfBytes(5), live), LiveTable::Added::kNew);
  const pid_t child = fork();
  if (child == 0) {
    const bool empty = g_table.Get().Size() == 0 && !g_table.Get().Take(0x1000, live);
    const bool usable = g_table.Get().Add(0x1000, OfBytes(6), live) == LiveTable::Added::kNew;
    _exit(empty && usable ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(g_table.Get().Find(0x1000, live));
}

}  // namespace
}  // namespace warpshare::interposer
