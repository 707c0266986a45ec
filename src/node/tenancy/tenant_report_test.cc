#include "node/tenancy/tenant_report.h"

#include <fstream>

#include "ledger/memory_slot.h"
#include "node/tenancy/fake/tenancy_fixture.h"

namespace warpshare::node {
namespace {

class TenantReportTest : public TenancyFixture {
 protected:
  TenantReportTest() : member_(Enter(Request("train", MemoryAmount::Of(4_GiB))).value()) {}

  TenantReport Report() { return ReportTenants(State()).at(0); }

  Membership member_;
};

TEST_F(TenantReportTest, ShowsLimitUseAndProcesses) {
  FakeProcess process(member_.tenant().usage_path(), 5);
  ASSERT_TRUE(process.Take(0, 3_GiB, 4_GiB));
  ASSERT_FALSE(process.Take(0, 2_GiB, 4_GiB));
  process.page().cards[0].refusals = 1;

  const TenantReport report = Report();
  EXPECT_EQ(report.name, "train");
  ASSERT_EQ(report.cards.size(), 1u);
  EXPECT_EQ(report.cards[0].index, 0u);
  EXPECT_EQ(report.cards[0].name, "Test Card");
  EXPECT_EQ(report.cards[0].limit, 4_GiB);
  EXPECT_EQ(report.cards[0].capacity, 40_GiB);
  EXPECT_EQ(report.cards[0].used, 3_GiB);
  EXPECT_EQ(report.cards[0].peak, 3_GiB);
  EXPECT_EQ(report.cards[0].refusals, 1u);
  ASSERT_EQ(report.processes.size(), 1u);
  EXPECT_EQ(report.processes[0].pid, static_cast<uint32_t>(getpid()));
  EXPECT_TRUE(report.processes[0].pid_is_ours);
  EXPECT_EQ(report.processes[0].command, "tenant");
  EXPECT_EQ(report.processes[0].used.at(0), 3_GiB);
}

TEST_F(TenantReportTest, LeavesOutWhatTheDeadHeld) {
  FakeProcess living(member_.tenant().usage_path(), 1);
  FakeProcess dead(member_.tenant().usage_path(), 2);
  ASSERT_TRUE(living.Take(0, 1_GiB, 4_GiB));
  ASSERT_TRUE(dead.Take(0, 2_GiB, 4_GiB));
  dead.owner().start_time = dead.owner().start_time + 1;
  const TenantReport report = Report();
  EXPECT_EQ(report.cards[0].used, 1_GiB);
  EXPECT_EQ(report.processes.size(), 1u);
}

// In a slot of its own, which lives as long as somebody holds it.
TEST_F(TenantReportTest, ShowsExportedMemoryAsItsMakers) {
  FakeProcess process(member_.tenant().usage_path(), 1);
  FakeProcess exported(member_.tenant().usage_path(), abi::kProcessSlots);
  ASSERT_TRUE(process.Take(0, 1_GiB, 4_GiB));
  ASSERT_TRUE(exported.Take(0, 2_GiB, 4_GiB));
  const ledger::OwnerIdentity memory =
      ledger::OwnerOf({.pid = process.owner().pid,
                       .pid_namespace = process.owner().pid_namespace,
                       .serial = 1,
                       .common = 0});
  exported.owner().pid = memory.pid;
  exported.owner().pid_namespace = memory.pid_namespace;
  exported.owner().start_time = memory.start_time;
  exported.owner().exec_mark = memory.exec_mark;

  TenantReport report = Report();
  EXPECT_EQ(report.cards[0].used, 3_GiB);
  ASSERT_EQ(report.processes.size(), 1u);
  EXPECT_EQ(report.processes[0].used.at(0), 3_GiB);

  ledger::LetGo(exported.page(), {.slot = abi::kProcessSlots, .generation = 1});
  report = Report();
  EXPECT_EQ(report.cards[0].used, 3_GiB);
  EXPECT_EQ(report.processes.at(0).used.at(0), 1_GiB);
}

TEST_F(TenantReportTest, AddsUpTheGpuTimeOfThoseWhoLive) {
  FakeProcess first(member_.tenant().usage_path(), 1);
  FakeProcess second(member_.tenant().usage_path(), 2);
  FakeProcess dead(member_.tenant().usage_path(), 3);
  dead.owner().start_time = dead.owner().start_time + 1;
  abi::UsagePageV1& page = first.page();
  page.slots[1].work[0].used_ns = 300;
  page.slots[1].work[0].waited_ns = 20;
  page.slots[2].work[0].used_ns = 40;
  page.slots[2].work[0].waits_since_ns = 1;
  page.slots[3].work[0].used_ns = 5000;
  page.slots[3].work[0].waits_since_ns = 1;
  page.waits[0].count[3] = 7;

  const TenantReport report = Report();
  const ComputeReport& compute = report.cards[0].compute;
  EXPECT_EQ(compute.limit, std::nullopt);
  EXPECT_EQ(compute.used_ns, 340u);
  EXPECT_EQ(compute.waited_ns, 20u);
  EXPECT_EQ(compute.waiting, 1u);
  EXPECT_EQ(compute.waits[3], 7u);
  EXPECT_EQ(report.processes.at(0).gpu_ns, std::vector<uint64_t>{300});
  EXPECT_EQ(report.processes.at(1).identity.slot, 2u);
}

TEST_F(TenantReportTest, IsNotLedAstrayByImpossibleTimes) {
  FakeProcess first(member_.tenant().usage_path(), 1);
  FakeProcess second(member_.tenant().usage_path(), 2);
  first.page().slots[1].work[0].used_ns = UINT64_MAX;
  first.page().slots[2].work[0].used_ns = UINT64_MAX;
  EXPECT_EQ(Report().cards[0].compute.used_ns, UINT64_MAX);
}

TEST_F(TenantReportTest, SaysWhatIsWrongWithADamagedFile) {
  ASSERT_EQ(truncate(member_.tenant().usage_path().c_str(), 100), 0);
  const TenantReport report = Report();
  EXPECT_EQ(report.cards[0].limit, 4_GiB);
  EXPECT_NE(report.problem.find("cut short"), std::string::npos);
}

TEST_F(TenantReportTest, DoesWithoutTheNoteOfTheCards) {
  std::ofstream(member_.tenant().cards_path()) << "x\ty\tz\nnothing\n\t\t\n7";
  const TenantReport report = Report();
  EXPECT_EQ(report.cards[0].index, std::nullopt);
  EXPECT_EQ(report.cards[0].name, "");
}

TEST_F(TenantReportTest, ListsTenantsByName) {
  const auto other = Enter(Request("a-first"));
  const auto reports = ReportTenants(State());
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].name, "a-first");
}

}  // namespace
}  // namespace warpshare::node
