#include "interposer/guest/lock.h"

#include "interposer/guest/brief_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

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

}  // namespace
}  // namespace warpshare::guest
