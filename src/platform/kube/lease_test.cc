#include "platform/kube/lease.h"

#include <gtest/gtest.h>

namespace warpshare::kube {
namespace {

using std::chrono::milliseconds;

constexpr LeaseTimes kTimes{.duration = milliseconds(1500),
                            .renew_time = milliseconds(1000),
                            .retry_time = milliseconds(250)};

Clock::Time At(int ms) { return Clock::Time(milliseconds(ms)); }

LeaseRecord HeldBy(const std::string& holder, const std::string& version) {
  return {.holder = holder, .transitions = 3, .renewed_at = "", .resource_version = version};
}

TEST(LeaseView, TakesWhatNobodyHolds) {
  LeaseView view("me", kTimes);
  EXPECT_TRUE(view.MayTake(At(0)));
  view.Seen(HeldBy("", "1"), At(0));
  EXPECT_TRUE(view.MayTake(At(0)));
  EXPECT_FALSE(view.MayLead(At(0)));
}

TEST(LeaseView, WaitsUntilNoRenewalWasSeenForTheWholeDuration) {
  LeaseView view("me", kTimes);
  view.Seen(HeldBy("other", "1"), At(0));
  view.Seen(HeldBy("other", "1"), At(1000));
  EXPECT_FALSE(view.MayTake(At(1499)));
  EXPECT_TRUE(view.MayTake(At(1500)));
  EXPECT_EQ(view.may_take_at(), At(1500));
  view.Seen(HeldBy("other", "2"), At(1500));
  EXPECT_EQ(view.may_take_at(), At(3000));
  EXPECT_FALSE(view.MayTake(At(2999)));
  EXPECT_TRUE(view.MayTake(At(3000)));
}

TEST(LeaseView, LeadsFromWhenTheRenewalWasSent) {
  LeaseView view("me", kTimes);
  view.Renewed(HeldBy("me", "2"), At(100));
  EXPECT_TRUE(view.MayLead(At(1099)));
  EXPECT_FALSE(view.MayLead(At(1100)));
  view.Renewed(HeldBy("me", "3"), At(600));
  EXPECT_TRUE(view.MayLead(At(1599)));
  EXPECT_EQ(view.leads_until(), At(1600));
}

TEST(LeaseView, LeadsNoMoreOnceAnotherHoldsIt) {
  LeaseView view("me", kTimes);
  view.Renewed(HeldBy("me", "2"), At(0));
  view.Seen(HeldBy("other", "3"), At(10));
  EXPECT_FALSE(view.MayLead(At(10)));
}

TEST(LeaseView, DoesNotLeadOnlyBecauseTheLeaseBearsItsName) {
  LeaseView view("me", kTimes);
  view.Seen(HeldBy("me", "2"), At(0));  // from before a restart
  EXPECT_FALSE(view.MayLead(At(0)));
  EXPECT_TRUE(view.MayTake(At(0)));
}

TEST(LeaseView, CountsChangesOfTheHolder) {
  LeaseView view("me", kTimes);
  EXPECT_EQ(view.next_transitions(), 0);
  view.Seen(HeldBy("other", "1"), At(0));
  EXPECT_EQ(view.next_transitions(), 4);
  view.Seen(HeldBy("me", "2"), At(0));
  EXPECT_EQ(view.next_transitions(), 3);
}

TEST(LeaseView, CountsNoFurtherThanTheObjectHasRoomFor) {
  for (const char* found : {"2147483647", "9223372036854775807", "-5"}) {
    const auto lease = json::Document::Parse(
        R"({"metadata":{"resourceVersion":"1"},"spec":{"holderIdentity":"other","leaseTransitions":)" +
        std::string(found) + "}}");
    LeaseView view("me", kTimes);
    view.Seen(*ReadLease(lease->root()), At(0));
    EXPECT_EQ(view.next_transitions(), found[0] == '-' ? 1 : 2147483647) << found;
  }
}

TEST(LeaseText, IsReadBack) {
  const std::string text = LeaseText(
      {.space = "s",
       .name = "n",
       .holder = "me",
       .transitions = 2,
       .resource_version = "7",
       .duration = milliseconds(1500),
       .now = std::chrono::system_clock::time_point(std::chrono::microseconds(1'500'000))});
  EXPECT_EQ(text, R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
                  R"("metadata":{"namespace":"s","name":"n","resourceVersion":"7"},)"
                  R"("spec":{"holderIdentity":"me","leaseDurationSeconds":2,"leaseTransitions":2,)"
                  R"("renewTime":"1970-01-01T00:00:01.500000Z"}})");
  const auto document = json::Document::Parse(text);
  const auto record = ReadLease(document->root());
  ASSERT_TRUE(record);
  EXPECT_EQ(record->holder, "me");
  EXPECT_EQ(record->resource_version, "7");
  EXPECT_FALSE(ReadLease(json::View()));
}

}  // namespace
}  // namespace warpshare::kube
