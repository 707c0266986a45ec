#include "node/tenancy/presence.h"

#include <sys/wait.h>

#include "node/tenancy/fake/tenancy_fixture.h"

namespace warpshare::node {
namespace {

class PresenceTest : public TenancyFixture {
 protected:
  // A tenant without a run: what is there after `warpshare run` was killed.
  TenantDir Orphan() {
    return TenantDir::Build(State().tenants_path() + "/orphan", {.tenant = "orphan", .cards = {}},
                            {machine_[0]})
        .value();
  }
};

TEST_F(PresenceTest, SeesNobodyInAFreshFolder) { EXPECT_FALSE(IsInUse(Orphan())); }

TEST_F(PresenceTest, SeesAProcessByItsSlot) {
  const TenantDir tenant = Orphan();
  {
    const FakeProcess process(tenant.usage_path(), 17);
    EXPECT_TRUE(IsInUse(tenant));
  }
}

TEST_F(PresenceTest, SeesAProcessThatClosedAllItsFiles) {
  const TenantDir tenant = Orphan();
  {
    const FakeProcess process(tenant.usage_path(), 3);
  }  // its lock is gone, it is not
  EXPECT_TRUE(IsInUse(tenant));
}

TEST_F(PresenceTest, SeesThroughAPidThatWasUsedAgain) {
  const TenantDir tenant = Orphan();
  {
    FakeProcess process(tenant.usage_path(), 3);
    process.owner().start_time = process.owner().start_time + 1;
  }
  EXPECT_FALSE(IsInUse(tenant));
}

TEST_F(PresenceTest, GoesByTheLockForAnotherPidNamespace) {
  const TenantDir tenant = Orphan();
  {
    FakeProcess process(tenant.usage_path(), 3);
    process.owner().pid_namespace = 1;
    EXPECT_TRUE(IsInUse(tenant));
  }
  EXPECT_FALSE(IsInUse(tenant));
}

TEST_F(PresenceTest, TakesADamagedUsageFileForNobody) {
  const TenantDir tenant = Orphan();
  ASSERT_EQ(truncate(tenant.usage_path().c_str(), 10), 0);
  EXPECT_FALSE(IsInUse(tenant));
}

}  // namespace
}  // namespace warpshare::node
