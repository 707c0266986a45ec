#include "node/tenancy/container_tenant.h"

#include <sys/stat.h>

#include "node/tenancy/fake/tenancy_fixture.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/presence.h"
#include "node/tenancy/tenant_report.h"

namespace warpshare::node {
namespace {

class ContainerTenantTest : public TenancyFixture {
 protected:
  ContainerTenant Make() {
    const auto dir = MakeContainerTenant(state_, kIds);
    EXPECT_TRUE(dir) << dir.error().message;
    return FindContainerTenant(state_, dir->tenant_side(), kIds).value();
  }
  platform::Limits Limits(Bytes memory) const {
    return {.tenant = "train.main",
            .cards = {{.uuid = machine_[0].uuid, .memory = memory, .capacity = 40_GiB}}};
  }

  const std::vector<std::string> kIds = {"a::00", "b::01"};
  const StateDir state_ = State();
};

TEST_F(ContainerTenantTest, BeginsWithoutCards) {
  const ContainerTenant tenant = Make();
  EXPECT_EQ(tenant.claim, ContainerClaim{.device_ids = kIds});
  EXPECT_TRUE(platform::ReadLimitsFile(tenant.dir.limits_path())->cards.empty());
}

TEST_F(ContainerTenantTest, EachAllocationHasAFolderOfItsOwn) {
  EXPECT_NE(Make().dir.tenant_side(), Make().dir.tenant_side()) << "for the same devices";
  EXPECT_EQ(ContainerTenants(state_).size(), 2u);
}

TEST_F(ContainerTenantTest, AStartFillsItAndTheNextOneBeginsAnew) {
  ContainerTenant tenant = Make();
  tenant.claim.pod_uid = "u1";
  ASSERT_TRUE(FillContainerTenant(tenant, Limits(4_GiB), {machine_[0]}));
  EXPECT_EQ(ContainerTenants(state_).at(0).claim.pod_uid, "u1");
  {
    FakeProcess process(tenant.dir.usage_path(), 0);
    ASSERT_TRUE(process.Take(0, 1_GiB, 4_GiB));
    ASSERT_TRUE(FillContainerTenant(tenant, Limits(2_GiB), {machine_[0]}));
    EXPECT_FALSE(process.Take(0, 2_GiB, 2_GiB)) << "what it holds stays charged";
    process.owner().generation = 2;  // it ends
  }
  ASSERT_TRUE(FillContainerTenant(tenant, Limits(2_GiB), {machine_[0]}));
  EXPECT_EQ(platform::ReadLimitsFile(tenant.dir.limits_path())->cards[0].memory, 2_GiB);
  FakeProcess process(tenant.dir.usage_path(), 0);
  EXPECT_TRUE(process.Take(0, 2_GiB, 2_GiB));
}

TEST_F(ContainerTenantTest, ChangesKeepThePageAndItsCards) {
  ContainerTenant tenant = Make();
  ASSERT_TRUE(FillContainerTenant(tenant, Limits(4_GiB), {machine_[0]}));
  const auto page = platform::OpenFile(tenant.dir.limits_path(), O_RDONLY);
  tenant.claim.pod_uid = "u2";
  ASSERT_TRUE(ChangeContainerTenant(tenant, Limits(6_GiB).cards));
  EXPECT_EQ(ContainerTenants(state_).at(0).claim.pod_uid, "u2");
  struct stat open = {};
  struct stat now = {};
  ASSERT_EQ(fstat(page->get(), &open), 0);
  ASSERT_EQ(stat(tenant.dir.limits_path().c_str(), &now), 0);
  EXPECT_EQ(open.st_ino, now.st_ino);
  EXPECT_EQ(platform::ReadLimitsFile(tenant.dir.limits_path())->cards[0].memory, 6_GiB);
  std::vector<platform::CardLimit> other = Limits(8_GiB).cards;
  other[0].uuid = machine_[1].uuid;
  EXPECT_EQ(ChangeContainerTenant(tenant, other).error().code, Errc::kCorrupt);
}

TEST_F(ContainerTenantTest, IsMadeAgainWhereTheContainersMountsNameIt) {
  const ContainerTenant tenant = Make();
  std::filesystem::remove_all(state_.tenants_path());
  const StateDir state = State();  // as after a restart of the machine
  const auto again = FindContainerTenant(state, tenant.dir.tenant_side(), kIds);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(std::filesystem::exists(tenant.dir.usage_path()));
  EXPECT_EQ(again->claim, ContainerClaim{.device_ids = kIds});
}

TEST_F(ContainerTenantTest, PathsElsewhereAreRefused) {
  for (const std::string& side :
       {std::string("/etc"), state_.tenants_path() + "/c-1/../../../etc",
        state_.tenants_path() + "/train/0123", root_ + "/other/tenants/c-1/0123", std::string()})
    EXPECT_EQ(FindContainerTenant(state_, side, kIds).error().code, Errc::kInvalid) << side;
}

TEST_F(ContainerTenantTest, IsNoLeftoverWithoutProcesses) {
  const ContainerTenant tenant = Make();
  EXPECT_TRUE(FindLeftovers(state_).empty());
  ReapLeftovers(state_);
  EXPECT_TRUE(std::filesystem::exists(tenant.dir.limits_path()));
}

// The page is the container's to write: here it names a process that lives, as it well could.
TEST_F(ContainerTenantTest, WhoseLocksAreGoneIsGoneWhateverItsPageSays) {
  ContainerTenant tenant = Make();
  tenant.claim.pod_uid = "u1";
  ASSERT_TRUE(FillContainerTenant(tenant, Limits(4_GiB), {machine_[0]}));
  {
    FakeProcess process(tenant.dir.usage_path(), 3);
    ASSERT_TRUE(process.Take(0, 1_GiB, 4_GiB));
    EXPECT_TRUE(HasProcesses(tenant.dir));
    EXPECT_EQ(ReportTenant(tenant.dir, tenant.name)->cards.at(0).used, 1_GiB);
  }
  EXPECT_FALSE(HasProcesses(tenant.dir));
  const auto report = ReportTenant(tenant.dir, tenant.name);
  EXPECT_TRUE(report->processes.empty());
  EXPECT_EQ(report->cards.at(0).used, 0_B);
}

}  // namespace
}  // namespace warpshare::node
