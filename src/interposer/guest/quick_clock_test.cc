#include "interposer/guest/quick_clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "interposer/guest/kernel.h"

namespace warpshare::guest {
namespace {

constexpr uint64_t kForNs = 20'000'000;
constexpr uint64_t kNearNs = 5'000;

// However long it is held up in between.
void ExpectNear(QuickClock& clock) {
  const uint64_t before_ns = Now();
  const uint64_t quick_ns = clock.Now();
  const uint64_t after_ns = Now();
  EXPECT_GE(quick_ns + kNearNs, before_ns);
  EXPECT_LE(quick_ns, after_ns + kNearNs);
}

TEST(QuickClock, StaysNearTheClock) {
  QuickClock clock{};
  for (const uint64_t end_ns = Now() + kForNs; Now() < end_ns;) ExpectNear(clock);
}

TEST(QuickClock, IsNearAfterALongTimeWithoutALook) {
  QuickClock clock{};
  for (const uint64_t end_ns = Now() + 2'000'000; Now() < end_ns;) ExpectNear(clock);
  for (const uint64_t end_ns = Now() + kForNs; Now() < end_ns;) {
  }
  ExpectNear(clock);
}

TEST(QuickClock, StaysNearForManyThreads) {
  QuickClock clock{};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (const uint64_t end_ns = Now() + kForNs; Now() < end_ns;) ExpectNear(clock);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace warpshare::guest
