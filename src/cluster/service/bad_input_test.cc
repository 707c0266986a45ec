// Clients that speak badly, slowly or not at all, and strangers: each is told why where it can be,
// nothing that the scheduler knows changes, and the next one is served.
#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "cluster/service/scheduler_service.h"
#include "platform/http/client.h"
#include "platform/http/testing/certificates.h"
#include "platform/http/testing/raw_peer.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {
namespace {

constexpr std::chrono::seconds kLimit{10};

class BadInputTest : public testing::Test {
 protected:
  BadInputTest() {
    api_.Create(kube::kNodes, "", NodeObject(1, CardsText(1, 1)));
    api_.Create(kube::kPods, "default",
                PodObject({.node = "n1", .assignment = AssignmentText(1, 0)}));
    api_.Create(kube::kPods, "default", PodObject({.name = "waits"}));
  }

  void Open(ServiceOptions options = {}) {
    service_ = *SchedulerService::Open({.client = *client_, .clock = clock_, .log = log_}, options);
    EXPECT_TRUE(Until([&] { return service_->serves() && Counts().pods == 2; }));
    // The pod that waits is woken once, for there are cards.
    EXPECT_TRUE(Until([&] { return api_.Asked("PATCH /api/v1/nodes") == 1; }));
    version_ = api_.version();
  }
  // Slower ones are cut off; who asks without delay is well before.
  static ServiceOptions Hasty() {
    ServiceOptions options;
    options.listen.limits.read_time = std::chrono::milliseconds(500);
    options.listen.limits.idle_time = std::chrono::milliseconds(500);
    return options;
  }

  bool Until(const std::function<bool()>& done) { return loop_.RunUntil(done, kLimit); }
  ClusterView::Counts Counts() const { return service_->view().counts(); }

  // What the client got before the connection ended.
  std::string Say(const std::string& bytes) {
    http::RawPeer peer(loop_, service_->port());
    peer.Send(bytes);
    EXPECT_TRUE(Until([&] { return peer.ended(); })) << bytes.substr(0, 100);
    return peer.got();
  }

  void ExpectAsBefore() {
    const auto card = service_->view().ledger().FindCard(CardOf(1, 0));
    EXPECT_EQ(service_->view().ledger().card(*card).memory_free, int64_t{12} << 30);
    EXPECT_EQ(Counts().waiting, 1u);
    EXPECT_EQ(Counts().reserved, 0u);
    EXPECT_EQ(api_.version(), version_);
    EXPECT_TRUE(service_->serves());
  }

  platform::SystemClock clock_;
  KeptLog log_;
  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::unique_ptr<kube::Client> client_ = *kube::Client::Make(loop_, {.config = api_.config()});
  std::unique_ptr<SchedulerService> service_;
  uint64_t version_ = 0;
};

TEST_F(BadInputTest, WhatIsNoHttpIsToldSo) {
  Open();
  for (const char* bytes : {"\x16\x03\x01\x02\x01", "POST\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                            "POST /scheduler/bind HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                            "POST /scheduler/bind HTTP/1.1\r\nContent-Length: 1\r\n"
                            "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})
    EXPECT_TRUE(Say(bytes + std::string("\r\n\r\n")).starts_with("HTTP/1.1 4")) << bytes;
  ExpectAsBefore();
}

TEST_F(BadInputTest, ABodyThatIsTooLargeIsRefusedBeforeItIsSent) {
  Open();
  const std::string got = Say("POST /scheduler/filter HTTP/1.1\r\nContent-Length: " +
                              std::to_string(kMaxBodyBytes + 1) + "\r\n\r\n");
  EXPECT_TRUE(got.starts_with("HTTP/1.1 413")) << got;
  EXPECT_TRUE(Say("GET /healthz HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n")
                  .starts_with("HTTP/1.1 431"));
  ExpectAsBefore();
}

TEST_F(BadInputTest, WhoSendsTooSlowlyOrNothingIsCutOffAndHoldsNobodyUp) {
  Open(Hasty());
  http::RawPeer silent(loop_, service_->port());
  http::RawPeer half(loop_, service_->port());
  half.Send("POST /scheduler/bind HTTP/1.1\r\nContent-Length: 100\r\n\r\n{\"PodName\":");
  ASSERT_TRUE(Until([&] { return silent.is_connected() && half.is_connected(); }));
  EXPECT_TRUE(
      Say("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(Until([&] { return silent.ended() && half.ended(); }));
  ExpectAsBefore();
}

TEST_F(BadInputTest, WhoLeavesInTheMiddleLeavesNothingBehind) {
  Open();
  for (const char* bytes : {"", "POST /scheduler/bind HTTP/1.1\r\nContent-Length: 100\r\n\r\n{"}) {
    http::RawPeer peer(loop_, service_->port());
    peer.Send(bytes);
    ASSERT_TRUE(Until([&] { return peer.is_connected(); }));
    peer.Close();
  }
  EXPECT_TRUE(
      Say("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 200"));
  ExpectAsBefore();
}

TEST_F(BadInputTest, WhoShowsNoCertificateOfOursIsNotHeard) {
  const http::TestAuthority ours, theirs("another one");
  ServiceOptions options;
  options.listen.tls = http::ServerTls{.identity = ours.For("localhost"),
                                       .client_authorities = ours.identity.certificates};
  Open(options);
  const auto ask = [&](std::optional<http::Identity> shown) {
    http::ClientTls tls{
        .authorities = ours.identity.certificates, .identity = {}, .server_name = "localhost"};
    if (shown) tls.identity = *shown;
    const auto asker = *http::Client::Make(
        loop_, {.host = "127.0.0.1", .port = service_->port(), .tls = std::move(tls)});
    std::optional<unsigned> status;
    const http::Call call =
        asker->Send({.target = "/readyz", .headers = {}, .body = {}},
                    [&](const Result<http::Response>& came) { status = came ? came->status : 0; });
    EXPECT_TRUE(Until([&] { return status.has_value(); }));
    return *status;
  };
  EXPECT_EQ(ask(ours.For("kube-scheduler")), 200u);
  EXPECT_EQ(ask(std::nullopt), 0u);
  EXPECT_EQ(ask(theirs.For("kube-scheduler")), 0u);
  const auto now = std::chrono::system_clock::now();
  EXPECT_EQ(
      ask(ours.For("kube-scheduler", {now - std::chrono::hours(9), now - std::chrono::hours(1)})),
      0u);
  ExpectAsBefore();
}

// The API server's clock is ahead of ours, or what it says is no time at all.
TEST_F(BadInputTest, TimesOfAnotherClockMakeNoPodOlderOrYoungerThanItCanBe) {
  Open();
  platform::MetricPage page;
  for (const char* time : {"2999-01-01T00:00:00Z", "yesterday", "-5"})
    api_.Merge(kube::kPods, {"default", "waits"},
               std::string(R"({"metadata":{"creationTimestamp":")") + time + "\"}}");
  version_ = api_.version();
  ASSERT_TRUE(
      Until([&] { return service_->view().waiting().by_uid().begin()->second.created_s == 0; }));
  service_->AddMetrics(std::chrono::system_clock::now(), page);
  EXPECT_NE(page.Text().find("warpshare_scheduler_oldest_waiting_seconds 0\n"), std::string::npos);
  ExpectAsBefore();
}

TEST_F(BadInputTest, AnAssignmentThatSomebodyEditedChangesNoBooks) {
  Open();
  for (const char* text : {"v1;n1;main=GPU-00000000-0000-0000-0000-000000000000:16GiB:0:weighted",
                           "v1;n2;", "nonsense"})
    api_.Merge(
        kube::kPods, {"default", "p"},
        R"({"metadata":{"annotations":{"warpshare.io/assignment":")" + std::string(text) + "\"}}}");
  version_ = api_.version();
  ASSERT_TRUE(Until([&] { return Counts().bad_pods == 1; }));
  ExpectAsBefore();
}

}  // namespace
}  // namespace warpshare::cluster
