#include "apps/warpshare/compute_rates.h"

#include <gtest/gtest.h>

namespace warpshare::app {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::steady_clock::time_point kStart{};

node::ProcessReport Process(uint32_t pid, uint64_t gpu_ns) {
  return {.pid = pid,
          .pid_is_ours = true,
          .command = {},
          .used = {0_B},
          .gpu_ns = {gpu_ns},
          .identity = {.slot = 0, .pid = pid, .start_time = 1}};
}

node::TenantReport Tenant(std::vector<node::ProcessReport> processes, uint64_t granted_ns) {
  node::CardReport card{};
  card.compute.granted_ns = granted_ns;
  return {.name = "a", .cards = {card}, .processes = std::move(processes), .problem = {}};
}

ComputeRates Rates(node::TenantReport before, node::TenantReport after) {
  const Observation first = {.tenants = {std::move(before)}, .at = kStart};
  const Observation second = {.tenants = {std::move(after)}, .at = kStart + 1s};
  return RatesOf(first, second, second.tenants[0], 0).value();
}

TEST(ComputeRates, AreOfTheTimeBetween) {
  const ComputeRates rates =
      Rates(Tenant({Process(1, 5'000'000)}, 7), Tenant({Process(1, 305'000'000)}, 400'000'007));
  EXPECT_EQ(rates.interval, 1s);
  EXPECT_EQ(rates.used_permille, 300u);
  EXPECT_EQ(rates.granted_permille, 400u);
}

TEST(ComputeRates, NeverFallBelowZeroWhenAProcessEnds) {
  const ComputeRates rates = Rates(Tenant({Process(1, 900'000'000), Process(2, 100'000'000)}, 0),
                                   Tenant({Process(2, 200'000'000), Process(3, 50'000'000)}, 0));
  EXPECT_EQ(rates.used_permille, 150u);
}

TEST(ComputeRates, StartAnewWithATenantOfTheSameName) {
  const ComputeRates rates = Rates(Tenant({Process(1, 900'000'000)}, 900'000'000),
                                   Tenant({Process(2, 1'000'000)}, 2'000'000));
  EXPECT_EQ(rates.used_permille, 1u);
  EXPECT_EQ(rates.granted_permille, 2u);
}

TEST(ComputeRates, AreBoundedWhateverTheTenantSays) {
  const ComputeRates rates =
      Rates(Tenant({}, 0), Tenant({Process(1, UINT64_MAX), Process(2, UINT64_MAX)}, 0));
  EXPECT_EQ(rates.used_permille, ComputeRates::kMostPermille);
}

TEST(ComputeRates, AreNotKnownOfWhoWasNotThere) {
  const Observation before = {.tenants = {}, .at = kStart};
  const Observation after = {.tenants = {Tenant({}, 0)}, .at = kStart + 1s};
  EXPECT_EQ(RatesOf(before, after, after.tenants[0], 0), std::nullopt);
}

TEST(WaitPercentile, IsTheUpperEdgeOfItsBucket) {
  node::WaitCounts waits{};
  EXPECT_EQ(WaitPercentile(waits, 50), std::nullopt);
  waits[0] = 98;
  waits[10] = 1;
  waits[23] = 1;
  EXPECT_EQ(WaitPercentile(waits, 50), 2us);
  EXPECT_EQ(WaitPercentile(waits, 99), 2048us);
  EXPECT_EQ(WaitPercentile(waits, 100), std::chrono::microseconds(1 << 24));
  waits.fill(UINT32_MAX);
  EXPECT_EQ(WaitPercentile(waits, 50), 4096us);
}

}  // namespace
}  // namespace warpshare::app
