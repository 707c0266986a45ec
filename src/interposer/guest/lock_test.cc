#include "interposer/guest/lock.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <thread>
#include <vector>

#include "interposer/guest/brief_lock.h"

namespace warpshare::guest {
namespace {

template <typename AnyLock>
class LockTest : public ::testing::Test {};
using Locks = ::testing::Types<Lock, BriefLock>;
TYPED_TEST_SUITE(LockTest, Locks);

TYPED_TEST(LockTest, LetsOneThreadInAtATime) {
  TypeParam lock;
  uint64_t count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 20'000; ++n) {
        const LockGuard guard(lock);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 80'000u);
}

TYPED_TEST(LockTest, MayBeTakenByOneThreadAfterAnother) {
  TypeParam lock;
  for (int i = 0; i < 100; ++i) {
    const LockGuard guard(lock);
  }
  std::thread([&] { const LockGuard guard(lock); }).join();
  const LockGuard guard(lock);
}

// The lock is the first thread's own until the second comes, which may be at any moment of what
// the first does: so over and over with new locks. Returns how many of `kRounds` were miscounted.
int MiscountedRounds() {
  constexpr int kRounds = 2'000;
  std::vector<BriefLock> locks(kRounds);
  std::vector<uint64_t> counts(kRounds);
  std::atomic<int> round = 0;
  const auto add = [&](int n, int times) {
    for (int i = 0; i < times; ++i) {
      const LockGuard guard(locks[n]);
      volatile uint64_t& count = counts[n];
      count = count + 1;
    }
  };
  std::thread second([&] {
    for (int n = 0; n < kRounds; ++n) {
      while (round.load() <= n) sched_yield();
      add(n, 100);
    }
  });
  for (int n = 0; n < kRounds; ++n) {
    add(n, 1);
    round = n + 1;
    add(n, 1'000);
  }
  second.join();
  return static_cast<int>(
      std::ranges::count_if(counts, [](uint64_t count) { return count != 1'101; }));
}

TEST(BriefLock, LetsASecondThreadInOnlyWhenTheFirstIsOutside) { EXPECT_EQ(MiscountedRounds(), 0); }

// From here on this process, which is a test's child, may not ask for memory barriers.
void ForbidMembarrier() {
  sock_filter words[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = std::size(words), .filter = words};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) std::_Exit(2);
}

TEST(BriefLock, IsALockWhereTheKernelHasNoSuchBarrier) {
  EXPECT_EXIT(
      {
        ForbidMembarrier();
        const bool may_own = BriefLock::PrepareToOwn();
        std::_Exit(!may_own && MiscountedRounds() == 0 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(BriefLock, IsALockWhereTheProgramForbadeItselfTheBarrierSince) {
  EXPECT_EXIT(
      {
        BriefLock lock;
        {
          const LockGuard own(lock);
        }
        ForbidMembarrier();
        bool was_inside = false;
        std::thread([&] {
          const LockGuard guard(lock);
          was_inside = true;
        }).join();
        const LockGuard again(lock);
        std::_Exit(was_inside ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpshare::guest
