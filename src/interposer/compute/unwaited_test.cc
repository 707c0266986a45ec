#include "interposer/compute/unwaited.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

constexpr uint64_t kMs = 1'000'000;

class UnwaitedTest : public testing::Test {
 protected:
  void Note() { NoteUnwaited(word_, now_ns_); }
  bool Is() const { return IsUnwaited(word_, now_ns_); }
  void Pass(uint64_t ns) { now_ns_ += ns; }

  std::atomic<uint64_t> word_ = 0;
  uint64_t now_ns_ = 5'000'000 * kMs;
};

TEST_F(UnwaitedTest, NothingWasMetAtFirst) { EXPECT_FALSE(Is()); }

TEST_F(UnwaitedTest, OneThatIsMetCountsForAShortTime) {
  Note();
  EXPECT_TRUE(Is());
  Pass(kOnceUnwaitedNs - kMs);
  EXPECT_TRUE(Is());
  Pass(kMs);
  EXPECT_FALSE(Is());
}

// Some threads may lose their processors at the same time.
TEST_F(UnwaitedTest, SomeAtOnceAreOne) {
  for (int i = 0; i < 10; ++i, Pass(kMs)) Note();
  Pass(kOnceUnwaitedNs);
  EXPECT_FALSE(Is());
}

TEST_F(UnwaitedTest, AnotherOneCountsForLonger) {
  Note();
  Pass(2 * kUnwaitedPauseNs);
  Note();
  Pass(kUnwaitedNs - kMs);
  EXPECT_TRUE(Is());
  Pass(kMs);
  EXPECT_FALSE(Is());
}

TEST_F(UnwaitedTest, WhatIsMetAllTheTimeCountsAllTheTime) {
  for (int i = 0; i < 1'000; ++i, Pass(kMs)) Note();
  Pass(kUnwaitedNs - kUnwaitedPauseNs - kMs);
  EXPECT_TRUE(Is());
}

TEST_F(UnwaitedTest, ATimeToComeIsMended) {
  word_ = now_ns_ + 1'000 * kMs;
  Note();
  Pass(kUnwaitedNs);
  EXPECT_FALSE(Is());
}

}  // namespace
}  // namespace warpshare::interposer
