#include "cluster/service/beside.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "cluster/service/scheduler_service.h"
#include "platform/clock/fake/fake_clock.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {
namespace {

constexpr std::chrono::seconds kLimit{10};
const kube::ObjectName kLease{.space = "s", .name = "kube-schedulers"};

// Two pods, "a" and "b", whose kube-schedulers have one Lease.
class BesideTest : public testing::Test {
 protected:
  struct Process {
    Process(platform::EventLoop& loop, const kube::Config& config, const std::string& host,
            const platform::Clock& clock)
        : client(*kube::Client::Make(loop, {.config = config})) {
      ServiceOptions options;
      options.beside = BesideOptions{.lease = kLease, .host = host};
      service = *SchedulerService::Open({.client = *client, .clock = clock, .log = log}, options);
      asker = *http::Client::Make(loop, {.host = "127.0.0.1", .port = service->port()});
    }
    bool Tells(const std::string& line) const {
      platform::MetricPage page;
      service->AddMetrics(std::chrono::system_clock::now(), page);
      return page.Text().find("warpshare_scheduler_" + line + '\n') != std::string::npos;
    }
    bool Leads() const { return Tells("leads 1"); }

    KeptLog log;
    std::unique_ptr<kube::Client> client;
    std::unique_ptr<SchedulerService> service;
    std::unique_ptr<http::Client> asker;
  };

  BesideTest() { api_.Create(kube::kNodes, "", NodeObject(1, CardsText(1, 1))); }

  std::unique_ptr<Process> Start(const std::string& host) {
    return std::make_unique<Process>(loop_, api_.config(), host, clock_);
  }
  void GiveLeaseTo(const std::string& holder) {
    const std::string text =
        R"({"metadata":{"namespace":"s","name":"kube-schedulers"},"spec":{"holderIdentity":")" +
        holder + R"("}})";
    api_.Get(kube::kLeases, kLease).empty() ? api_.Create(kube::kLeases, kLease.space, text)
                                            : api_.Merge(kube::kLeases, kLease, text);
  }
  // A running pod that asks for more than it has.
  void AddGrowingPod() {
    api_.Create(kube::kPods, "default",
                PodObject({.node = "n1", .assignment = AssignmentText(1, 0)}));
    api_.Merge(kube::kPods, {"default", "p"},
               R"({"metadata":{"uid":"u1","annotations":{"warpshare.io/resize":"memory=8GiB"}}})");
  }
  bool Until(const std::function<bool()>& done) { return loop_.RunUntil(done, kLimit); }

  unsigned Ask(Process& process) {
    unsigned status = 0;
    const http::Call call = process.asker->Send(
        {.method = "POST", .target = "/scheduler/filter", .headers = {}, .body = ""},
        [&](const Result<http::Response>& response) { status = response ? response->status : 1; });
    EXPECT_TRUE(Until([&] { return status != 0; }));
    return status;
  }

  platform::FakeClock clock_;
  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
};

TEST_F(BesideTest, WhoeverIsAskedAnswersAndOneOfThemLeads) {
  const auto a = Start("a");
  const auto b = Start("b");
  GiveLeaseTo("a_1234");
  ASSERT_TRUE(Until([&] { return a->Leads() && a->service->serves() && b->service->serves(); }));
  EXPECT_FALSE(b->Leads());
  EXPECT_EQ(b->service->WhyNotServing(), "");
  // A body that makes no sense: they would have answered.
  EXPECT_EQ(Ask(*a), 400u);
  EXPECT_EQ(Ask(*b), 400u);
  GiveLeaseTo("b_5678");
  EXPECT_TRUE(Until([&] { return b->Leads() && !a->Leads(); }));
}

// What an alert adds up: none while neither kube-scheduler leads, though both processes answer.
TEST_F(BesideTest, TellsPrometheusThatItServesWhereItsKubeSchedulerLeads) {
  const auto a = Start("a");
  const auto b = Start("b");
  ASSERT_TRUE(Until([&] {
    return a->service->serves() && b->service->serves() && a->service->WhyNotServing().empty() &&
           b->service->WhyNotServing().empty();
  }));
  EXPECT_TRUE(a->Tells("serves 0") && b->Tells("serves 0"));
  GiveLeaseTo("a_1234");
  EXPECT_TRUE(Until([&] { return a->Tells("serves 1"); }));
  EXPECT_TRUE(b->Tells("serves 0"));
  GiveLeaseTo("b_5678");
  EXPECT_TRUE(Until([&] { return a->Tells("serves 0") && b->Tells("serves 1"); }));
}

TEST_F(BesideTest, AnothersPodOfALongerNameIsNotOurs) {
  const auto a = Start("a");
  GiveLeaseTo("a-long_1234");
  ASSERT_TRUE(Until([&] { return a->service->WhyNotServing().empty(); }));
  EXPECT_EQ(Ask(*a), 400u);
  EXPECT_FALSE(a->Leads());
}

TEST_F(BesideTest, WhoDoesNotLeadChangesNoPodUnasked) {
  AddGrowingPod();
  GiveLeaseTo("b_5678");
  const auto a = Start("a");
  ASSERT_TRUE(Until([&] { return a->service->WhyNotServing().empty(); }));
  const auto looks = api_.Asked("GET /apis/coordination.k8s.io/v1/leases");
  ASSERT_TRUE(Until([&] { return api_.Asked("GET /apis/coordination.k8s.io/v1/leases") > looks; }));
  EXPECT_EQ(api_.Asked("PATCH /api/v1/pods"), 0u);
  GiveLeaseTo("a_1234");
  EXPECT_TRUE(Until([&] { return api_.Asked("PATCH /api/v1/pods") == 1; }));
}

// As after SIGSTOP and SIGCONT.
TEST_F(BesideTest, WhoWasStoppedAnswersNobodyBeforeItHasSeenTheLease) {
  GiveLeaseTo("a_1234");
  const auto a = Start("a");
  ASSERT_TRUE(Until([&] { return a->Leads() && a->service->serves(); }));
  api_.Hang(true);
  clock_.Sleep(std::chrono::seconds(10));
  EXPECT_EQ(Ask(*a), 503u);
  EXPECT_FALSE(a->Leads());
  api_.Hang(false);
  ASSERT_TRUE(Until([&] { return a->Leads(); }));
  EXPECT_EQ(Ask(*a), 400u);
}

TEST_F(BesideTest, IsNotReadyWhereTheLeaseCannotBeRead) {
  const auto a = Start("a");
  api_.Hang(true);
  EXPECT_NE(a->service->WhyNotServing(), "");
  api_.Hang(false);
  EXPECT_TRUE(Until([&] { return a->service->WhyNotServing().empty(); }));
}

}  // namespace
}  // namespace warpshare::cluster
