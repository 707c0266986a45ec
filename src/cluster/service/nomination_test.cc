// The extender and the nominator together, asked as kube-scheduler asks.
#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "cluster/service/scheduler_service.h"
#include "platform/http/client.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {
namespace {

class NominationTest : public testing::Test {
 protected:
  // One node, one card of 16 GiB.
  NominationTest() { api_.Create(kube::kNodes, "", NodeObject(1, CardsText(1, 1))); }

  void Open(bool nominates) {
    ServiceOptions options;
    options.nominates = nominates;
    options.nomination_limits.worth_planning = 1;
    service_ = *SchedulerService::Open({.client = *client_, .clock = clock_, .log = log_}, options);
    asker_ = *http::Client::Make(loop_, {.host = "127.0.0.1", .port = service_->port()});
    ASSERT_TRUE(Until([&] { return service_->serves(); }));
  }
  bool Until(const std::function<bool()>& done) {
    return loop_.RunUntil(done, std::chrono::seconds(10));
  }
  void Create(const std::string& name, int memory_gib) {
    const size_t before = service_->view().counts().pods;
    api_.Create(kube::kPods, "default", PodObject({.name = name, .memory_gib = memory_gib}));
    ASSERT_TRUE(Until([&] { return service_->view().counts().pods > before; }));
  }
  std::string Pod(const std::string& name) const {
    return api_.Get(kube::kPods, {"default", name});
  }

  // Filter's answer for n1: does the pod go there?
  bool Passes(const std::string& name) {
    std::string said;
    const http::Call call = asker_->Send(
        {.method = "POST",
         .target = "/scheduler/filter",
         .headers = {},
         .body = R"({"Pod":)" + Pod(name) + R"(,"NodeNames":["n1"]})"},
        [&](const Result<http::Response>& answer) { said = answer ? answer->body : "none"; });
    EXPECT_TRUE(Until([&] { return !said.empty(); }));
    return said.find(R"("NodeNames":["n1"])") != std::string::npos;
  }
  bool IsNominated(const std::string& name) const {
    return Pod(name).find("nominatedNodeName") != std::string::npos;
  }

  platform::SystemClock clock_;
  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::unique_ptr<kube::Client> client_ = *kube::Client::Make(loop_, {.config = api_.config()});
  KeptLog log_;
  std::unique_ptr<SchedulerService> service_;
  std::unique_ptr<http::Client> asker_;
};

TEST_F(NominationTest, APodBehindHasItsPlaceUntilItIsAskedAboutButRefusesNobody) {
  Open(true);
  Create("first", 1);
  Create("next", 1);
  Create("behind", 10);
  ASSERT_TRUE(Passes("first"));
  ASSERT_TRUE(Until([&] { return IsNominated("behind"); }));
  Create("urgent", 14);
  EXPECT_TRUE(Passes("urgent")) << "what is held for a pod that nobody asked about gives way";
  EXPECT_FALSE(Passes("behind")) << "it was a hint";
}

TEST_F(NominationTest, WhoIsAskedAboutAtItsNodeGetsIt) {
  Open(true);
  Create("first", 1);
  Create("next", 1);
  Create("behind", 10);
  ASSERT_TRUE(Passes("first"));
  ASSERT_TRUE(Until([&] { return IsNominated("behind"); }));
  EXPECT_TRUE(Passes("behind"));
  Create("late", 14);
  EXPECT_FALSE(Passes("late")) << "that is no plan any more";
}

TEST_F(NominationTest, NothingIsWrittenWhereItIsSwitchedOff) {
  Open(false);
  for (const char* name : {"first", "next", "behind"}) Create(name, 1);
  for (const char* name : {"first", "next", "behind"}) ASSERT_TRUE(Passes(name));
  EXPECT_EQ(api_.Asked("PATCH /api/v1/pods/status"), 0u);
}

}  // namespace
}  // namespace warpshare::cluster
