#include "apps/warpshare/compute_text.h"

#include <gtest/gtest.h>

namespace warpshare::app {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::steady_clock::time_point kStart{};

node::CardReport Card(uint32_t index, node::ComputeLimit limit) {
  node::CardReport card{};
  card.index = index;
  card.uuid = GpuUuid(std::array<uint8_t, 16>{static_cast<uint8_t>(index)});
  card.compute.limit = limit;
  return card;
}

// `ms` into its life a tenant that used 30 % and was granted 31 %.
node::TenantReport Soft(uint64_t ms) {
  node::CardReport card =
      Card(0, share::Terms{.mode = share::Mode::kSoft, .share_permille = 300, .weight = 2});
  card.compute.granted_ns = ms * 310'000;
  card.compute.used_ns = ms * 300'000;
  card.compute.waiting = 2;
  card.compute.waited_ns = ms * 650'000;
  card.compute.waits[9] = 99;
  card.compute.waits[11] = 1;
  node::ProcessReport process{.pid = 1, .pid_is_ours = true, .command = {}, .used = {0_B}};
  process.gpu_ns = {card.compute.used_ns};
  return {.name = "train", .cards = {card}, .processes = {process}, .problem = {}};
}

Observation At(std::chrono::milliseconds time) {
  const node::TenantReport high = {
      .name = "serve",
      .cards = {Card(0, std::nullopt), Card(1, share::Terms{.mode = share::Mode::kPriority,
                                                            .priority = share::Priority::kHigh})},
      .processes = {},
      .problem = {}};
  return {.tenants = {high, Soft(static_cast<uint64_t>(time.count()))}, .at = kStart + time};
}

TEST(ComputeTable, ShowsWhatBecameOfTheTimeSinceTheLastLook) {
  const Observation before = At(1000ms);
  Observation now = At(2000ms);
  now.tenants[1].cards[0].compute.waits[1] += 1;
  const std::vector<std::string> expected = {
      "TENANT  CARD  SHARE        USED   GRANTED  GPU TIME  WAITING  THROTTLED  WAIT P50  P99",
      "serve   1     high         0.0%   0.0%     0         0        0          -         -",
      "train   0     soft 30% w2  30.0%  31.0%    600ms     2        1.3s       4us       4us",
  };
  EXPECT_EQ(ComputeTable(&before, now, 0), expected);
}

TEST(ComputeTable, ShowsTheTenantsWholeLifeWithoutAnEarlierLook) {
  const std::vector<std::string> expected = {
      "TENANT  CARD  SHARE        GPU TIME  WAITING  THROTTLED  WAIT P50  P99",
      "serve   1     high         0         0        0          -         -",
      "train   0     soft 30% w2  300ms     2        650ms      1ms       1ms",
  };
  EXPECT_EQ(ComputeTable(nullptr, At(1000ms), 0), expected);
}

TEST(ComputeTable, LeavesColumnsOutWhereThereIsNoRoom) {
  const Observation before = At(1000ms);
  const auto wide = ComputeTable(&before, At(2000ms), 80);
  EXPECT_EQ(wide[0],
            "TENANT  CARD  SHARE        USED   GRANTED  WAITING  THROTTLED  WAIT P50  P99");
  const auto narrow = ComputeTable(&before, At(2000ms), 40);
  EXPECT_EQ(narrow[0], "TENANT  CARD  SHARE        USED   P99");
}

TEST(ComputeTable, SaysWhenNobodyHandsTimeOut) {
  Observation now = At(1000ms);
  now.arbiter = node::ArbiterState::kNone;
  EXPECT_EQ(ComputeTable(nullptr, now, 0).back(),
            "no arbiter: each keeps itself to its share; mend: warpshare doctor");
  EXPECT_EQ(ComputeTable(nullptr, now, 10).back(), "no arbiter");
  now.arbiter = node::ArbiterState::kHangs;
  EXPECT_EQ(ComputeTable(nullptr, now, 0).back(),
            "the arbiter hangs: each keeps itself to its share; mend: warpshare doctor");
}

TEST(ComputeTable, IsNothingWhenNobodyIsHeldBack) {
  Observation now = At(1000ms);
  for (node::TenantReport& tenant : now.tenants)
    for (node::CardReport& card : tenant.cards) card.compute.limit = std::nullopt;
  EXPECT_TRUE(ComputeTable(nullptr, now, 0).empty());
}

TEST(WriteCompute, HasTheDocumentedFields) {
  const Observation before = At(1000ms);
  const Observation now = At(2000ms);
  const auto rates = RatesOf(before, now, now.tenants[1], 0);
  JsonWriter json;
  WriteCompute(now.tenants[1].cards[0].compute, rates, json);
  EXPECT_EQ(json.text(),
            R"({"policy":"soft","share_permille":300,"weight":2,"priority":null,"burst_ns":0,)"
            R"("latency_target_ns":0,"granted_ns":620000000,"used_ns":600000000,)"
            R"("waiting_processes":2,"waited_ns":1300000000,"wait_p50_us":null,)"
            R"("wait_p99_us":null,"interval_ns":1000000000,"used_permille":300,)"
            R"("granted_permille":310})");
  JsonWriter high;
  WriteCompute(now.tenants[0].cards[1].compute, std::nullopt, high);
  EXPECT_EQ(high.text(),
            R"({"policy":"priority","share_permille":null,"weight":1,"priority":"high",)"
            R"("burst_ns":0,"latency_target_ns":0,"granted_ns":0,"used_ns":0,)"
            R"("waiting_processes":0,"waited_ns":0,"wait_p50_us":null,"wait_p99_us":null,)"
            R"("interval_ns":null,"used_permille":null,"granted_permille":null})");
  JsonWriter none;
  WriteCompute(now.tenants[0].cards[0].compute, std::nullopt, none);
  EXPECT_EQ(none.text(), "null");
}

}  // namespace
}  // namespace warpshare::app
