#include "simgpu/world/sync/journal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simgpu/world/sync/clock.h"

namespace simgpu::world {
namespace {

struct Shared {
  Guarded guard;
  Word words[8];
  Word bits[4];
};

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() {
    void* start =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared_ = new (start) Shared;
    shared_->guard.lock.Create();
  }
  ~JournalTest() override { munmap(shared_, sizeof(Shared)); }

  // A child that runs `body`, ends by _exit or is killed by itself.
  template <typename Body>
  static void InChild(Body body) {
    const pid_t child = fork();
    if (child == 0) {
      body();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
  }

  Shared* shared_;
};

TEST_F(JournalTest, WritesAllOfACommittedChange) {
  const Section section(shared_->guard);
  Transaction change(shared_->guard.journal);
  change.Set(shared_->words[0], 7);
  change.Add(shared_->words[1], 5);
  change.Fill(shared_->bits, 60, 10, true);
  EXPECT_EQ(Get(shared_->words[0]), 0u);
  change.Commit();
  EXPECT_EQ(Get(shared_->words[0]), 7u);
  EXPECT_EQ(Get(shared_->words[1]), 5u);
  EXPECT_EQ(Get(shared_->bits[0]), uint64_t{0xf} << 60);
  EXPECT_EQ(Get(shared_->bits[1]), 0x3fu);
}

TEST_F(JournalTest, ForgetsAChangeWhoseAuthorDiedBeforeTheCommit) {
  InChild([&] {
    const Section section(shared_->guard);
    Transaction change(shared_->guard.journal);
    change.Set(shared_->words[0], 7);
    raise(SIGKILL);
  });
  const Section section(shared_->guard);
  EXPECT_EQ(Get(shared_->words[0]), 0u);
}

TEST_F(JournalTest, FinishesAChangeWhoseAuthorDiedAfterTheCommit) {
  InChild([&] {
    const Section section(shared_->guard);
    Journal& journal = shared_->guard.journal;
    Transaction change(journal);
    change.Set(shared_->words[0], 7);
    change.Set(shared_->words[1], 8);
    change.Fill(shared_->bits, 3, 2, true);
    journal.committed.store(3);  // as Commit() does,
    shared_->words[0].store(7);  // and some of the writes
    raise(SIGKILL);
  });
  const Section section(shared_->guard);
  EXPECT_EQ(Get(shared_->words[0]), 7u);
  EXPECT_EQ(Get(shared_->words[1]), 8u);
  EXPECT_EQ(Get(shared_->bits[0]), 0x18u);
  EXPECT_EQ(Get(shared_->guard.journal.committed), 0u);
}

TEST_F(JournalTest, StaysUsableThroughManyDeathsOfHolders) {
  for (int i = 0; i < 100; ++i) {
    InChild([&] {
      const Section section(shared_->guard);
      Transaction change(shared_->guard.journal);
      change.Add(shared_->words[0], 1);
      change.Add(shared_->words[1], 1);
      change.Commit();
      raise(SIGKILL);
    });
  }
  const Section section(shared_->guard);
  EXPECT_EQ(Get(shared_->words[0]), 100u);
  EXPECT_EQ(Get(shared_->words[1]), 100u);
}

// Children add to two words in one change and are killed whenever it happens; the words never
// differ.
TEST_F(JournalTest, IsNeverSeenHalfDoneHoweverAuthorsDie) {
  for (uint64_t round = 0; round < 60; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      while (true) {
        const Section section(shared_->guard);
        Transaction change(shared_->guard.journal);
        for (Word& word : shared_->words) change.Add(word, 1);
        change.Commit();
      }
    }
    WaitUntil(NowNs() + 200'000 + round * 7'000);
    kill(child, SIGKILL);
    const Section section(shared_->guard);
    for (const Word& word : shared_->words) ASSERT_EQ(Get(word), Get(shared_->words[0]));
    int status = 0;
    waitpid(child, &status, 0);
  }
  EXPECT_GT(Get(shared_->words[0]), 1000u);
}

TEST_F(JournalTest, TellsTheHolderOfALock) {
  EXPECT_EQ(shared_->guard.lock.HolderThread(), 0u);
  {
    const Section section(shared_->guard);
    EXPECT_EQ(shared_->guard.lock.HolderThread(), static_cast<uint32_t>(gettid()));
    EXPECT_EQ(shared_->guard.lock.TryAcquire(), RobustLock::Outcome::kBusy);
  }
  InChild([&] {
    shared_->guard.lock.Acquire();
    raise(SIGKILL);
  });
  EXPECT_EQ(shared_->guard.lock.HolderThread(), 0u);
}

TEST(WaitUntil, ReturnsOnTimeAndNeverEarly) {
  uint64_t late_ns = 0;
  for (uint64_t i = 1; i <= 50; ++i) {
    const uint64_t when_ns = NowNs() + i * 10'000;
    WaitUntil(when_ns);
    const uint64_t now_ns = NowNs();
    ASSERT_GE(now_ns, when_ns);
    late_ns += now_ns - when_ns;
  }
  RecordProperty("mean_late_ns", static_cast<int>(late_ns / 50));
}

}  // namespace
}  // namespace simgpu::world
