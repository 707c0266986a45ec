#include "interposer/guest/split_counter.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace warpshare::guest {
namespace {

TEST(SplitCounter, IsTheSumOfWhatWasAdded) {
  SplitCounter counter{};
  counter.Add(5);
  counter.Add(uint64_t{0} - 3);
  EXPECT_EQ(counter.Sum(), 2u);
}

TEST(SplitCounter, LosesNothingThatThreadsAddAtOnce) {
  SplitCounter counter{};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 50'000; ++n) counter.Add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.Sum(), 200'000u);
}

// Its first thread may be gone, and another one have taken over its place in memory.
TEST(SplitCounter, OutlivesTheThreadThatAddedFirst) {
  SplitCounter counter{};
  for (int i = 0; i < 3; ++i) std::thread([&] { counter.Add(1); }).join();
  counter.Add(1);
  EXPECT_EQ(counter.Sum(), 4u);
}

}  // namespace
}  // namespace warpshare::guest
