#include "node/exporter/tenant_totals.h"

#include <gtest/gtest.h>

namespace warpshare::node {
namespace {

const GpuUuid kCard({1});

TenantReport Used(uint64_t ns) {
  CardReport card{};
  card.uuid = kCard;
  card.compute.used_ns = ns;
  card.compute.waited_ns = 2 * ns;
  return {.name = "t", .cards = {card}, .processes = {}, .problem = {}};
}

TEST(TenantTotals, GrowWithWhatLivingProcessesUse) {
  TenantTotals totals;
  totals.Look({Used(100)});
  totals.Look({Used(250)});
  EXPECT_EQ(totals.Of("t", kCard).used_ns, 250u);
  EXPECT_EQ(totals.Of("t", kCard).waited_ns, 500u);
}

TEST(TenantTotals, KeepWhatAProcessUsedThatHasEnded) {
  TenantTotals totals;
  totals.Look({Used(100)});
  totals.Look({Used(0)});
  totals.Look({Used(30)});
  EXPECT_EQ(totals.Of("t", kCard).used_ns, 130u);
}

TEST(TenantTotals, ForgetATenantThatIsGone) {
  TenantTotals totals;
  totals.Look({Used(100)});
  totals.Look({});
  totals.Look({Used(10)});
  EXPECT_EQ(totals.Of("t", kCard).used_ns, 10u);
}

}  // namespace
}  // namespace warpshare::node
