#include "interposer/guest/lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace warpshare::guest {
namespace {

TEST(Lock, LetsOneThreadInAtATime) {
  Lock lock;
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

}  // namespace
}  // namespace warpshare::guest
