#include "cluster/service/scheduler_service.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/clock/fake/fake_clock.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {
namespace {

constexpr std::chrono::seconds kLimit{10};

class SchedulerServiceTest : public testing::Test {
 protected:
  struct Process {
    Process(platform::EventLoop& loop, const kube::Config& config, const std::string& identity,
            const platform::Clock& clock)
        : client(*kube::Client::Make(loop, {.config = config})) {
      ServiceOptions options;
      options.election = kube::ElectorOptions{.lease = {"kube-system", "warpshare-scheduler"},
                                              .identity = identity};
      service = *SchedulerService::Open({.client = *client, .clock = clock, .log = log}, options);
      asker = *http::Client::Make(loop, {.host = "127.0.0.1", .port = service->port()});
    }

    KeptLog log;
    std::unique_ptr<kube::Client> client;
    std::unique_ptr<SchedulerService> service;
    std::unique_ptr<http::Client> asker;
  };

  SchedulerServiceTest() { api_.Create(kube::kNodes, "", NodeObject(1, CardsText(1, 1))); }

  std::unique_ptr<Process> Start(const std::string& identity) {
    return std::make_unique<Process>(loop_, api_.config(), identity, clock_);
  }
  bool Until(const std::function<bool()>& done) { return loop_.RunUntil(done, kLimit); }

  unsigned StatusOf(Process& process, const std::string& path, const std::string& method = "GET") {
    unsigned status = 0;
    const http::Call call = process.asker->Send(
        {.method = method, .target = path, .headers = {}, .body = ""},
        [&](const Result<http::Response>& response) { status = response ? response->status : 1; });
    EXPECT_TRUE(Until([&] { return status != 0; }));
    return status;
  }

  platform::SystemClock clock_;
  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
};

TEST_F(SchedulerServiceTest, IsNotReadyBeforeItKnowsTheCluster) {
  api_.Hang(true);
  const auto process = Start("a");
  EXPECT_EQ(StatusOf(*process, "/healthz"), 200u);
  EXPECT_EQ(StatusOf(*process, "/readyz"), 503u);
  EXPECT_EQ(StatusOf(*process, "/elsewhere"), 404u);
}

TEST_F(SchedulerServiceTest, OneOfTwoServesAndTheOtherKnowsAsMuch) {
  const auto first = Start("a");
  ASSERT_TRUE(Until([&] { return first->service->serves(); }));
  const auto second = Start("b");
  ASSERT_TRUE(Until([&] { return second->service->view().counts().nodes == 1; }));
  EXPECT_EQ(StatusOf(*first, "/readyz"), 200u);
  EXPECT_EQ(StatusOf(*second, "/readyz"), 503u);
}

TEST_F(SchedulerServiceTest, WhoStopsHandsOverAtOnce) {
  auto first = Start("a");
  ASSERT_TRUE(Until([&] { return first->service->serves(); }));
  const auto second = Start("b");
  ASSERT_TRUE(Until([&] { return second->service->view().counts().nodes == 1; }));
  bool stopped = false;
  first->service->Stop([&] { stopped = true; });
  ASSERT_TRUE(Until([&] { return stopped; }));
  EXPECT_FALSE(first->service->serves());
  EXPECT_TRUE(Until([&] { return second->service->serves(); }));
}

TEST_F(SchedulerServiceTest, TheStandbyTakesOverFromOneThatIsGone) {
  auto first = Start("a");
  ASSERT_TRUE(Until([&] { return first->service->serves(); }));
  const auto second = Start("b");
  ASSERT_TRUE(Until([&] { return second->service->view().counts().nodes == 1; }));
  first.reset();
  const auto gone = std::chrono::steady_clock::now();
  ASSERT_TRUE(Until([&] { return second->service->serves(); }));
  EXPECT_LT(std::chrono::steady_clock::now() - gone, std::chrono::seconds(5));
}

TEST_F(SchedulerServiceTest, WhoCannotRenewItsLeaseServesNoMore) {
  const auto process = Start("a");
  ASSERT_TRUE(Until([&] { return process->service->serves(); }));
  api_.Hang(true);
  ASSERT_TRUE(Until([&] { return !process->service->serves(); }));
  EXPECT_EQ(StatusOf(*process, "/readyz"), 503u);
  api_.Hang(false);
  EXPECT_TRUE(Until([&] { return process->service->serves(); }));
}

// As after SIGSTOP and SIGCONT: another one may lead by now, and what kube-scheduler sent meanwhile
// is read before any timer is called.
TEST_F(SchedulerServiceTest, WhoWasStoppedServesNobodyBeforeItHasRenewed) {
  platform::FakeClock clock;
  Process process(loop_, api_.config(), "a", clock);
  ASSERT_TRUE(Until([&] { return process.service->serves(); }));
  EXPECT_EQ(StatusOf(process, "/scheduler/filter", "POST"), 400u);
  api_.Hang(true);
  clock.Sleep(std::chrono::seconds(10));
  EXPECT_EQ(StatusOf(process, "/scheduler/filter", "POST"), 503u);
  api_.Hang(false);
  EXPECT_TRUE(Until([&] { return process.service->serves(); }));
  EXPECT_EQ(StatusOf(process, "/scheduler/filter", "POST"), 400u);
}

TEST_F(SchedulerServiceTest, TellsWhatItDoes) {
  const auto process = Start("a");
  ASSERT_TRUE(Until([&] { return process->service->serves(); }));
  StatusOf(*process, "/scheduler/filter", "POST");
  platform::MetricPage page;
  process->service->AddMetrics(std::chrono::system_clock::now(), page);
  for (const char* line : {"warpshare_scheduler_leads 1\n", "warpshare_scheduler_nodes 1\n",
                           "warpshare_scheduler_verb_errors_total{verb=\"filter\"} 1\n"})
    EXPECT_NE(page.Text().find(line), std::string::npos) << line;
}

}  // namespace
}  // namespace warpshare::cluster
