#include "platform/kube/elector.h"

#include <gtest/gtest.h>

#include "platform/clock/fake/fake_clock.h"
#include "platform/kube/fake/kube_test.h"

namespace warpshare::kube {
namespace {

using std::chrono::milliseconds;

// Short, but far longer than an answer takes here, so that a slow machine loses no leader by
// chance.
constexpr LeaseTimes kTimes{.duration = milliseconds(1500),
                            .renew_time = milliseconds(1000),
                            .retry_time = milliseconds(5)};

class ElectorTest : public KubeTest {
 protected:
  struct Candidate {
    std::unique_ptr<Elector> elector;
    int leads = 0, lost = 0;
  };

  void Run(Candidate& candidate, const std::string& identity, LeaseTimes times = kTimes) {
    Run(candidate, identity, times, clock_);
  }
  void Run(Candidate& candidate, const std::string& identity, LeaseTimes times,
           const Clock& clock) {
    candidate.elector = std::make_unique<Elector>(
        *client_, clock,
        ElectorOptions{.lease = {"d", "warpshare"}, .identity = identity, .times = times},
        ElectorEvents{.leads = [&candidate] { ++candidate.leads; },
                      .lost = [&candidate] { ++candidate.lost; }});
    candidate.elector->Start();
  }

  platform::SystemClock clock_;
  Candidate first_, second_;
};

TEST_F(ElectorTest, MakesTheFirstOneTheLeader) {
  Run(first_, "first");
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
  Run(second_, "second");
  ASSERT_TRUE(Until([&] { return second_.elector->holder() == "first"; }));
  ASSERT_TRUE(Until([&] { return server_.Asked("PUT /apis/coordination.k8s.io/v1/leases") >= 2; }));
  EXPECT_EQ(second_.leads, 0);
  EXPECT_TRUE(first_.elector->IsLeader());
}

TEST_F(ElectorTest, LetsOnlyOneOfTwoThatBeginAtOnceLead) {
  Run(first_, "first");
  Run(second_, "second");
  ASSERT_TRUE(Until([&] { return first_.leads + second_.leads == 1; }));
  ASSERT_TRUE(Until([&] {
    return first_.elector->holder() != "" && first_.elector->holder() == second_.elector->holder();
  }));
  EXPECT_EQ(first_.leads + second_.leads, 1);
}

TEST_F(ElectorTest, PassesOnWhatIsGivenBackWithoutWaiting) {
  Run(first_, "first");
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
  Run(second_, "second",
      {.duration = std::chrono::hours(1),
       .renew_time = milliseconds(1000),
       .retry_time = milliseconds(5)});
  ASSERT_TRUE(Until([&] { return second_.elector->holder() == "first"; }));
  bool released = false;
  first_.elector->Release([&] { released = true; });
  EXPECT_EQ(first_.lost, 1);
  ASSERT_TRUE(Until([&] { return released && second_.leads == 1; }));
}

TEST_F(ElectorTest, PutsAnotherInThePlaceOfALeaderThatDied) {
  Run(first_, "first");
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
  Run(second_, "second",
      {.duration = milliseconds(100),
       .renew_time = milliseconds(80),
       .retry_time = milliseconds(5)});
  ASSERT_TRUE(Until([&] { return second_.elector->holder() == "first"; }));
  first_.elector.reset();
  ASSERT_TRUE(Until([&] { return second_.leads == 1; }));
}

TEST_F(ElectorTest, StopsLeadingWhenItCannotRenewAndLeadsAgainLater) {
  Run(first_, "first",
      {.duration = milliseconds(300),
       .renew_time = milliseconds(200),
       .retry_time = milliseconds(5)});
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
  server_.Hang(true);
  ASSERT_TRUE(Until([&] { return first_.lost == 1; }));
  EXPECT_FALSE(first_.elector->IsLeader());
  server_.Hang(false);
  ASSERT_TRUE(Until([&] { return first_.leads == 2; }));
}

TEST_F(ElectorTest, StopsLeadingAtOnceWhenTheLeaseWasTakenAway) {
  Run(first_, "first");
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
  server_.Merge(kLeases, {"d", "warpshare"}, R"({"spec":{"holderIdentity":"another"}})");
  ASSERT_TRUE(Until([&] { return first_.lost == 1; }));
  ASSERT_TRUE(Until([&] { return first_.elector->holder() == "another"; }));
}

// As after SIGSTOP and SIGCONT: the time has passed, and no timer has been called yet.
TEST_F(ElectorTest, ALeaderThatWasStoppedDoesNotLeadBeforeItHasRenewed) {
  platform::FakeClock clock;
  Run(first_, "first", kTimes, clock);
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
  EXPECT_TRUE(first_.elector->IsLeader());
  clock.Sleep(kTimes.renew_time);
  EXPECT_FALSE(first_.elector->IsLeader());
  EXPECT_EQ(first_.lost, 1);
  ASSERT_TRUE(Until([&] { return first_.leads == 2; }));
  EXPECT_TRUE(first_.elector->IsLeader());
}

TEST_F(ElectorTest, ALeaderThatWasStoppedFindsThatAnotherOneLeads) {
  platform::FakeClock clock;
  Run(first_, "first", kTimes, clock);
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
  server_.Merge(kLeases, {"d", "warpshare"}, R"({"spec":{"holderIdentity":"another"}})");
  clock.Sleep(std::chrono::minutes(1));
  EXPECT_FALSE(first_.elector->IsLeader());
  ASSERT_TRUE(Until([&] { return first_.elector->holder() == "another"; }));
  EXPECT_EQ(first_.leads, 1);
}

TEST_F(ElectorTest, TakesALeaseOfItsOwnNameUpAgain) {
  server_.Create(kLeases, "d",
                 R"({"metadata":{"name":"warpshare"},"spec":{"holderIdentity":"first"}})");
  Run(first_, "first");
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
}

TEST_F(ElectorTest, WaitsForTheServer) {
  server_.Stop();
  Run(first_, "first");
  ASSERT_FALSE(loop_.RunUntil([&] { return first_.leads == 1; }, milliseconds(20)));
  server_.Restart();
  ASSERT_TRUE(Until([&] { return first_.leads == 1; }));
}

}  // namespace
}  // namespace warpshare::kube
