#include "cluster/service/scheduler_service.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {
namespace {

constexpr std::chrono::seconds kLimit{10};

class SchedulerServiceTest : public testing::Test {
 protected:
  struct Process {
    Process(platform::EventLoop& loop, const kube::Config& config, const std::string& identity)
        : client(*kube::Client::Make(loop, {.config = config})) {
      ServiceOptions options;
      options.election = kube::ElectorOptions{.lease = {"kube-system", "warpshare-scheduler"},
                                              .identity = identity};
      service = *SchedulerService::Open({.client = *client, .clock = clock, .log = log}, options);
      asker = *http::Client::Make(loop, {.host = "127.0.0.1", .port = service->port()});
    }

    KeptLog log;
    platform::SystemClock clock;
    std::unique_ptr<kube::Client> client;
    std::unique_ptr<SchedulerService> service;
    std::unique_ptr<http::Client> asker;
  };

  SchedulerServiceTest() { api_.Create(kube::kNodes, "", NodeObject(1, CardsText(1, 1))); }

  std::unique_ptr<Process> Start(const std::string& identity) {
    return std::make_unique<Process>(loop_, api_.config(), identity);
  }
  bool Until(const std::function<bool()>& done) { return loop_.RunUntil(done, kLimit); }

  unsigned StatusOf(Process& process, const std::string& path) {
    unsigned status = 0;
    const http::Call call = process.asker->Send(
        {.target = path, .headers = {}, .body = ""},
        [&](const Result<http::Response>& response) { status = response ? response->status : 1; });
    EXPECT_TRUE(Until([&] { return status != 0; }));
    return status;
  }

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

}  // namespace
}  // namespace warpshare::cluster
