#include "interposer/compute/covered.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace warpshare::interposer {
namespace {

TEST(Covered, ALapByItselfIsComparedWithItsOwnCharges) {
  Covered covered;
  const auto first =
      covered.Add({.begin_ns = 50'000, .end_ns = 60'000, .ticket = 9'000, .charged_ns = 9'000});
  EXPECT_EQ(first.ns, 10'000u);
  EXPECT_EQ(first.charged_ns, 9'000u);
  // 7,000 were charged meanwhile, of work that nobody timed.
  const auto later =
      covered.Add({.begin_ns = 90'000, .end_ns = 95'000, .ticket = 20'000, .charged_ns = 4'000});
  EXPECT_EQ(later.ns, 5'000u);
  EXPECT_EQ(later.charged_ns, 4'000u);
  EXPECT_FALSE(later.joins);
}

TEST(Covered, TheFirstLapIsByItselfWhereverItsClockHasItsZero) {
  Covered covered;
  const auto first =
      covered.Add({.begin_ns = -10'000, .end_ns = 0, .ticket = 70'000, .charged_ns = 9'000});
  EXPECT_EQ(first.ns, 10'000u);
  EXPECT_EQ(first.charged_ns, 9'000u);
  EXPECT_FALSE(first.joins);
}

TEST(Covered, ALapThatGoesOnIsComparedWithWhatWasChargedSince) {
  Covered covered;
  covered.Add({.begin_ns = 50'000, .end_ns = 60'000, .ticket = 9'000, .charged_ns = 9'000});
  const auto next =
      covered.Add({.begin_ns = 58'000, .end_ns = 75'000, .ticket = 30'000, .charged_ns = 25'000});
  EXPECT_EQ(next.ns, 15'000u);
  EXPECT_EQ(next.charged_ns, 21'000u);
  EXPECT_TRUE(next.joins);
}

// What was given to a stream that waits has no ticket.
TEST(Covered, WhatNoTicketCountsIsComparedWithItsOwnLap) {
  Covered covered;
  covered.Add({.begin_ns = 0, .end_ns = 500, .ticket = 500, .charged_ns = 500});
  const Covered::Stretch fresh = covered.Add(
      {.begin_ns = 500, .end_ns = 1'000, .ticket = 500, .charged_ns = 500, .uncounted_ns = 500});
  EXPECT_EQ(fresh.ns, 500u);
  EXPECT_EQ(fresh.charged_ns, 500u) << "or it would be charged again";
}

// Threads gave it to other streams meanwhile.
TEST(Covered, WhatThereWasNoTimeForIsComparedWithTheNextLap) {
  Covered covered;
  const auto first = covered.Add(
      {.begin_ns = 0, .end_ns = 1'000, .ticket = 5'000, .charged_ns = 5'000, .beside_ns = 4'000});
  EXPECT_EQ(first.ns, 1'000u);
  EXPECT_EQ(first.charged_ns, 1'000u);
  const auto next =
      covered.Add({.begin_ns = 1'000, .end_ns = 6'000, .ticket = 6'000, .charged_ns = 1'000});
  EXPECT_EQ(next.ns, 5'000u);
  EXPECT_EQ(next.charged_ns, 5'000u);
}

TEST(Covered, OnlyThatIsLeftForTheNextLap) {
  Covered covered;
  const auto lap = covered.Add(
      {.begin_ns = 0, .end_ns = 1'000, .ticket = 5'000, .charged_ns = 5'000, .beside_ns = 1'500});
  EXPECT_EQ(lap.charged_ns, 3'500u) << "of which it took 1,000";
}

TEST(Covered, WhatIsCoveredAlreadyIsNotComparedAgain) {
  Covered covered;
  covered.Add({.begin_ns = 50'000, .end_ns = 60'000, .ticket = 9'000, .charged_ns = 9'000});
  const auto inside =
      covered.Add({.begin_ns = 51'000, .end_ns = 59'000, .ticket = 12'000, .charged_ns = 3'000});
  EXPECT_EQ(inside.ns, 0u);
  EXPECT_EQ(inside.charged_ns, 0u);
  const auto next =
      covered.Add({.begin_ns = 60'000, .end_ns = 61'000, .ticket = 12'500, .charged_ns = 500});
  EXPECT_EQ(next.charged_ns, 3'500u);
}

// A card that does three streams' kernels in turn, of which each costs what was charged, and laps
// of each stream that begin where the one before ended.
TEST(Covered, LapsOfSeveralStreamsSumUpToTheTimeAndToTheCharges) {
  constexpr uint64_t kKernelNs = 200'000;
  constexpr size_t kStreams = 3;
  std::mt19937 random(7);
  struct Stream {
    uint64_t submitted = 0;  // kernels
    uint64_t done = 0;
    uint64_t lap_ends_at = 3;  // that many were submitted
    uint64_t lap_ticket = 0;   // then
    int64_t lap_begin_ns = 0;
    uint64_t begin_ticket = 0;
  };
  std::array<Stream, kStreams> streams;
  Covered covered;
  uint64_t ticket = 0;
  int64_t now_ns = 1'000'000;
  for (Stream& stream : streams) stream.lap_begin_ns = now_ns;
  uint64_t timed_ns = 0;
  uint64_t compared_ns = 0;
  for (int step = 0; step < 30'000; ++step) {
    Stream& fed = streams[random() % kStreams];
    while (fed.submitted < fed.done + 1 + random() % 5) {
      ticket += kKernelNs;
      if (++fed.submitted == fed.lap_ends_at) fed.lap_ticket = ticket;
    }
    Stream& stream = streams[step % kStreams];
    if (stream.done == stream.submitted) continue;
    now_ns += kKernelNs;
    if (++stream.done != stream.lap_ends_at) continue;
    const auto stretch = covered.Add({.begin_ns = stream.lap_begin_ns,
                                      .end_ns = now_ns,
                                      .ticket = stream.lap_ticket,
                                      .charged_ns = stream.lap_ticket - stream.begin_ticket});
    timed_ns += stretch.ns;
    compared_ns += stretch.charged_ns;
    stream.lap_begin_ns = now_ns;
    stream.begin_ticket = stream.lap_ticket;
    // The next event is recorded behind what is submitted already.
    stream.lap_ends_at = stream.submitted + 3;
  }
  const auto passed_ns = static_cast<double>(now_ns - 1'000'000);
  EXPECT_NEAR(static_cast<double>(timed_ns), passed_ns, 20.0 * kKernelNs);
  EXPECT_NEAR(static_cast<double>(compared_ns), passed_ns, 20.0 * kKernelNs);
}

}  // namespace
}  // namespace warpshare::interposer
