#include "platform/futex/inheriting_mutex.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

namespace warpshare::platform {
namespace {

// As the kernel runs the calling thread just now; below 0: before all ordinary ones.
long PriorityNow() {
  std::ifstream stat("/proc/thread-self/stat");
  std::string fields;
  std::getline(stat, fields, ')');  // the name, which may have spaces
  for (int field = 3; field <= 18; ++field) stat >> fields;
  return std::stol(fields);
}

TEST(InheritingMutex, WhoHoldsItRunsAtThePriorityOfWhoWaits) {
  InheritingMutex mutex;
  std::atomic<int> refused = -1;
  std::unique_lock held(mutex);
  std::thread precise([&] {
    const sched_param lowest = {.sched_priority = 1};
    refused = sched_setscheduler(0, SCHED_RR, &lowest) != 0 ? 1 : 0;
    const std::lock_guard lock(mutex);
  });
  while (refused < 0) std::this_thread::yield();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (refused == 0 && PriorityNow() >= 0 && std::chrono::steady_clock::now() < give_up)
    std::this_thread::yield();
  const long while_held = PriorityNow();
  held.unlock();
  precise.join();
  if (refused != 0) GTEST_SKIP() << "no real-time priority for us here";
  EXPECT_LT(while_held, 0);
  EXPECT_GE(PriorityNow(), 0) << "and no longer";
}

TEST(InheritingMutex, OneAtATimeHasIt) {
  InheritingMutex mutex;
  int count = 0;
  const auto add = [&] {
    for (int i = 0; i < 10'000; ++i) {
      const std::lock_guard lock(mutex);
      ++count;
    }
  };
  std::thread other(add);
  add();
  other.join();
  EXPECT_EQ(count, 20'000);
}

}  // namespace
}  // namespace warpshare::platform
