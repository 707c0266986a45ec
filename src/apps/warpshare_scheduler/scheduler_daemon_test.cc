// The program itself, beside an API server in this process.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "cluster/inventory/testing/cluster_objects.h"
#include "platform/descriptor/descriptor.h"
#include "platform/http/client.h"
#include "platform/json/json.h"
#include "platform/kube/fake/fake_api_server.h"
#include "types/base64.h"

extern char** environ;

namespace warpshare::app {
namespace {

constexpr std::chrono::seconds kLimit{20};

class Daemon {
 public:
  Daemon(const std::string& folder, const std::string& name, const std::string& server,
         const std::vector<std::string>& more = {})
      : log_(folder + '/' + name + ".log") {
    std::vector<std::string> words = {WARPSHARE_SCHEDULER, "--port", "0",     "--server", server,
                                      "--identity",        name,     "--log", log_};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    EXPECT_EQ(posix_spawn(&pid_, arguments[0], nullptr, nullptr, arguments.data(), environ), 0);
  }
  ~Daemon() { End(SIGKILL); }

  // 0 until it listens; for pods at the door, with a word that stands before that port.
  uint16_t port(std::string_view after = "") const {
    const auto text = platform::ReadWholeFile(log_, 1 << 20);
    const size_t begin = text ? text->find(after) : std::string::npos;
    const size_t found = begin == std::string::npos ? begin : text->find(" port=", begin);
    return found == std::string::npos ? 0
                                      : static_cast<uint16_t>(std::stoi(text->substr(found + 6)));
  }
  void Send(int signal) const { kill(pid_, signal); }
  std::optional<int> Status() {
    int status = 0;
    if (pid_ == 0 || waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    pid_ = 0;
    return status;
  }
  void End(int signal) {
    if (pid_ == 0) return;
    Send(signal);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  std::string log_;
  pid_t pid_ = 0;
};

class SchedulerDaemonTest : public testing::Test {
 protected:
  SchedulerDaemonTest() {
    api_.Create(kube::kNodes, "", cluster::NodeObject(1, cluster::CardsText(1, 1)));
  }
  ~SchedulerDaemonTest() override { std::filesystem::remove_all(folder_); }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(api_.config().port); }
  bool Until(const std::function<bool()>& done) { return loop_.RunUntil(done, kLimit); }

  unsigned Ask(uint16_t port, const std::string& method, const std::string& target,
               const std::string& body = "") {
    const auto client = http::Client::Make(loop_, {.host = "127.0.0.1", .port = port});
    unsigned status = 0;
    const http::Call call =
        (*client)->Send({.method = method, .target = target, .headers = {}, .body = body},
                        [&](const Result<http::Response>& response) {
                          status = response ? response->status : 1;
                          body_ = response ? response->body : "";
                        });
    EXPECT_TRUE(Until([&] { return status != 0; }));
    return status;
  }
  // What another process does makes no work on this loop, so it is looked at again and again.
  bool Poll(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + kLimit;
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return false;
      loop_.RunUntil([] { return false; }, std::chrono::milliseconds(20));
    }
    return true;
  }
  bool UntilServing(const Daemon& daemon) {
    return Poll([&] { return daemon.port() != 0 && Ask(daemon.port(), "GET", "/readyz") == 200; });
  }

  std::string folder_ = [] {
    std::string path = std::filesystem::temp_directory_path() / "scheduler-XXXXXX";
    return std::string(mkdtemp(path.data()));
  }();
  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::string body_;  // of the last answer
};

TEST_F(SchedulerDaemonTest, BindsAPodAndLeavesWhenTold) {
  Daemon daemon(folder_, "a", url());
  ASSERT_TRUE(UntilServing(daemon));
  api_.Create(kube::kPods, "default", cluster::PodObject({}));
  const auto pod = json::Document::Parse(api_.Get(kube::kPods, {"default", "p"}));
  const std::string uid((*pod)["metadata"]["uid"].StringOr(""));
  EXPECT_EQ(
      Ask(daemon.port(), "POST", "/scheduler/bind",
          R"({"PodName":"p","PodNamespace":"default","PodUID":")" + uid + R"(","Node":"n1"})"),
      200u);
  EXPECT_NE(api_.Get(kube::kPods, {"default", "p"}).find(cluster::AssignmentText(1, 0)),
            std::string::npos);
  daemon.Send(SIGTERM);
  std::optional<int> status;
  EXPECT_TRUE(Poll([&] { return (status = daemon.Status()).has_value(); }));
  EXPECT_EQ(status, 0);
}

TEST_F(SchedulerDaemonTest, AnotherOneServesWhenTheLeaderIsKilled) {
  Daemon leader(folder_, "a", url());
  ASSERT_TRUE(UntilServing(leader));
  Daemon standby(folder_, "b", url());
  ASSERT_TRUE(Until([&] { return api_.watches() == 4; }));
  EXPECT_EQ(Ask(standby.port(), "GET", "/readyz"), 503u);
  leader.End(SIGKILL);
  EXPECT_TRUE(UntilServing(standby));
}

TEST_F(SchedulerDaemonTest, ServesMetricsOnAPortOfTheirOwn) {
  Daemon daemon(folder_, "a", url(), {"--metrics-port", "0", "--metrics-address", "127.0.0.1"});
  ASSERT_TRUE(UntilServing(daemon));
  const uint16_t port = daemon.port("metrics-listening");
  EXPECT_EQ(Ask(port, "GET", "/metrics"), 200u);
  EXPECT_NE(body_.find("warpshare_build_info{version=\""), std::string::npos);
  EXPECT_EQ(Ask(port, "GET", "/readyz"), 200u);
  EXPECT_EQ(Ask(port, "POST", "/scheduler/bind"), 405u);
  EXPECT_EQ(Ask(port, "GET", "/scheduler/bind"), 404u);
}

// kube-scheduler's name on its Lease begins with the pod's, which is what the host is called there.
TEST_F(SchedulerDaemonTest, LeadsBesideTheKubeSchedulerOfItsHost) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  api_.Create(
      kube::kLeases, "s",
      R"({"metadata":{"name":"l"},"spec":{"holderIdentity":")" + std::string(host) + R"(_1234"}})");
  Daemon daemon(folder_, "a", url(),
                {"--beside", "s/l", "--metrics-port", "0", "--metrics-address", "127.0.0.1"});
  ASSERT_TRUE(UntilServing(daemon));
  const uint16_t port = daemon.port("metrics-listening");
  EXPECT_TRUE(Poll([&] {
    Ask(port, "GET", "/metrics");
    return body_.find("warpshare_scheduler_leads 1\n") != std::string::npos;
  }));
}

class WebhookDaemonTest : public SchedulerDaemonTest {
 protected:
  WebhookDaemonTest() {
    api_.Create(kube::kSecrets, "s", R"({"metadata": {"namespace": "s", "name": "kept"}})");
    api_.Create(kube::kMutatingWebhooks, "",
                R"({"metadata": {"name": "warpshare"}, "webhooks": [{"name": "pods"}]})");
  }

  static std::vector<std::string> Flags(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--webhook", "warpshare", "--webhook-port", "0", "--webhook-name",
                             "localhost", "--webhook-secret", "s/kept"});
    return more;
  }
  // What the API server believes.
  std::string Bundle() const {
    const kube::ObjectName configuration{"", "warpshare"};
    const auto object = json::Document::Parse(api_.Get(kube::kMutatingWebhooks, configuration));
    return *FromBase64((*object)["webhooks"][0]["clientConfig"]["caBundle"].StringOr(""));
  }
  bool UntilBelieved(const Daemon& daemon) {
    return UntilServing(daemon) && Poll([&] { return !Bundle().empty(); });
  }
  // As the kubelet asks.
  unsigned Readiness(const Daemon& daemon) {
    const auto client = http::Client::Make(
        loop_, {.host = "127.0.0.1",
                .port = daemon.port("webhook-listening"),
                .tls = http::ClientTls{
                    .authorities = Bundle(), .identity = {}, .server_name = "localhost"}});
    unsigned status = 0;
    const http::Call call =
        (*client)->Send({.target = "/readyz", .headers = {}, .body = {}},
                        [&](const Result<http::Response>& response) {
                          status = response ? response->status : 1;
                          body_ = response ? response->body : response.error().message;
                        });
    EXPECT_TRUE(Until([&] { return status != 0; }));
    return status;
  }
};

TEST_F(WebhookDaemonTest, TheApiServerBelievesItsWebhook) {
  Daemon daemon(folder_, "a", url(),
                Flags({"--metrics-port", "0", "--metrics-address", "127.0.0.1"}));
  ASSERT_TRUE(UntilBelieved(daemon));
  EXPECT_EQ(Readiness(daemon), 200u) << body_;
  Ask(daemon.port("metrics-listening"), "GET", "/metrics");
  EXPECT_NE(body_.find("\nwarpshare_webhook_certificate_expiry_timestamp_seconds "),
            std::string::npos);
}

TEST_F(WebhookDaemonTest, ItsDoorIsReadyWhenTheQuotasWereReadAndNotBefore) {
  api_.Forbid(kube::kConfigMaps, true);
  Daemon daemon(folder_, "a", url(), Flags({"--quotas", "s/none"}));
  ASSERT_TRUE(UntilBelieved(daemon));
  EXPECT_EQ(Readiness(daemon), 503u);
  EXPECT_NE(body_.find("quotas were not read"), std::string::npos) << body_;
  api_.Forbid(kube::kConfigMaps, false);
  EXPECT_TRUE(Poll([&] { return Readiness(daemon) == 200; })) << "there is no such ConfigMap";
}

}  // namespace
}  // namespace warpshare::app
