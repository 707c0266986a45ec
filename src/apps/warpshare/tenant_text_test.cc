#include "apps/warpshare/tenant_text.h"

#include <gtest/gtest.h>

namespace warpshare::app {
namespace {

node::CardReport Card(uint32_t index, std::optional<Bytes> limit, Bytes used) {
  return {.index = index,
          .uuid = GpuUuid(std::array<uint8_t, 16>{static_cast<uint8_t>(index)}),
          .name = "Test Card",
          .limit = limit,
          .capacity = 40_GiB,
          .used = used,
          .peak = used,
          .refusals = 2};
}

std::vector<node::TenantReport> TwoTenants() {
  return {
      {.name = "a",
       .cards = {Card(0, 4_GiB, 3_GiB), Card(1, 4_GiB, 0_B)},
       .processes = {{.pid = 11, .pid_is_ours = true, .command = "python3", .used = {3_GiB, 0_B}},
                     {.pid = 12, .pid_is_ours = false, .command = "idle", .used = {0_B, 0_B}}},
       .problem = ""},
      {.name = "b",
       .cards = {Card(0, std::nullopt, 10_GiB)},
       .processes = {},
       .problem = "the tenant's usage file is damaged"}};
}

TEST(TenantTable, ShowsCardsAndUnderThemWhoUsesThem) {
  const std::vector<std::string> expected = {
      "TENANT  CARD  LIMIT    USED           PEAK      REFUSED  PROCESS",
      "a       0     4.00GiB  3.00GiB   75%  3.00GiB   2",
      "                       3.00GiB                           11 python3",
      "                       0B                                (12) idle",
      "        1     4.00GiB  0B        0%   0B        2",
      "b       0     none     10.00GiB  25%  10.00GiB  2",
      "                                                         the tenant's usage file is damaged",
  };
  EXPECT_EQ(TenantTable(TwoTenants(), 0), expected);
}

TEST(TenantTable, IsCutAtTheWidthOfTheScreen) {
  for (const std::string& line : TenantTable(TwoTenants(), 20)) EXPECT_LE(line.size(), 20u);
}

TEST(TenantTable, IsAHeaderWhenNobodyIsThere) { EXPECT_EQ(TenantTable({}, 0).size(), 1u); }

TEST(CardTable, AddsUpOverTenants) {
  const std::vector<std::string> expected = {
      "card 0  Test Card  40.00GiB  promised all      used by tenants 13.00GiB",
      "card 1  Test Card  40.00GiB  promised 4.00GiB  used by tenants 0B",
  };
  EXPECT_EQ(CardTable(TwoTenants(), 0), expected);
}

TEST(CardTable, TellsCardsOfOneIndexApart) {
  std::vector<node::TenantReport> tenants = TwoTenants();
  tenants[1].cards[0].uuid = GpuUuid(std::array<uint8_t, 16>{0xab});
  tenants[1].cards[0].name = "SimGPU";
  const std::vector<std::string> expected = {
      "card 0 (GPU-00000000)  Test Card  40.00GiB  promised 4.00GiB  used by tenants 3.00GiB",
      "card 0 (GPU-ab000000)  SimGPU     40.00GiB  promised all      used by tenants 10.00GiB",
      "card 1                 Test Card  40.00GiB  promised 4.00GiB  used by tenants 0B",
  };
  EXPECT_EQ(CardTable(tenants, 0), expected);
}

TEST(CardTable, CountsInOrder) {
  node::CardReport unknown = Card(1, 1_GiB, 0_B);
  unknown.index = std::nullopt;
  const std::vector<node::TenantReport> tenants = {
      {.name = "a",
       .cards = {unknown, Card(10, 1_GiB, 0_B), Card(2, 1_GiB, 0_B)},
       .processes = {},
       .problem = ""}};
  const std::vector<std::string> expected = {
      "card 2             Test Card  40.00GiB  promised 1.00GiB  used by tenants 0B",
      "card 10            Test Card  40.00GiB  promised 1.00GiB  used by tenants 0B",
      "card GPU-01000000  Test Card  40.00GiB  promised 1.00GiB  used by tenants 0B",
  };
  EXPECT_EQ(CardTable(tenants, 0), expected);
}

TEST(TenantJson, HasTheDocumentedFields) {
  EXPECT_EQ(TenantJson(nullptr, {}), R"({"tenants":[]})");
  auto tenants = TwoTenants();
  tenants.pop_back();
  tenants[0].cards.pop_back();
  tenants[0].processes.pop_back();
  tenants[0].processes[0].used.pop_back();
  EXPECT_EQ(
      TenantJson(nullptr, {.tenants = tenants, .at = {}}),
      R"({"tenants":[{"name":"a","cards":[{"index":0,)"
      R"("uuid":"GPU-00000000-0000-0000-0000-000000000000","name":"Test Card",)"
      R"("limit_bytes":4294967296,"capacity_bytes":42949672960,"used_bytes":3221225472,)"
      R"("peak_bytes":3221225472,"refusals":2,"compute":null}],"processes":[{"pid":11,"pid_namespace":"own",)"
      R"("command":"python3","used_bytes":[3221225472],"gpu_ns":[]}],"problem":null}]})");
}

}  // namespace
}  // namespace warpshare::app
