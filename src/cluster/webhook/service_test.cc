// The webhook from the API server's side: over TLS, believing what its configuration says.
#include "cluster/webhook/service.h"

#include <gtest/gtest.h>

#include "cluster/webhook/testing/cluster_objects.h"
#include "cluster/webhook/testing/kept_log.h"
#include "cluster/webhook/testing/question.h"
#include "platform/http/testing/crowd.h"

namespace warpshare::webhook {
namespace {

using std::chrono::hours;

class ServiceTest : public WebhookClusterTest {
 protected:
  ServiceTest() {
    quotas_.SetQuotas({});
    CreateSecret();
    CreateConfiguration();
    service_.Start();
  }

  Result<http::Response> Ask(const std::string& bundle, const std::string& body) {
    const auto client = http::Client::Make(
        loop_, {.host = "127.0.0.1",
                .port = service_.port(),
                .tls = http::ClientTls{
                    .authorities = bundle, .identity = {}, .server_name = "localhost"}});
    http::ClientRequest request{
        .method = "POST", .target = kAdmissionPath, .headers = {}, .body = body};
    request.headers.Add("Content-Type", "application/json");
    std::optional<Result<http::Response>> answer;
    const http::Call call = (*client)->Send(
        std::move(request), [&](Result<http::Response> came) { answer = std::move(came); });
    EXPECT_TRUE(Until([&] { return answer.has_value(); }));
    return std::move(*answer);
  }

  // Far enough back that certificates made later in the story hold today.
  http::WallTime now_ = std::chrono::system_clock::now() - hours(650);
  FixedCards cards_{{}};
  quota::QuotaBook quotas_;
  KeptLog log_;
  Service service_{{.client = *client_,
                    .cards = cards_,
                    .quotas = quotas_,
                    .wall_clock = [this] { return now_; },
                    .log = log_},
                   {.address = "127.0.0.1", .port = 0, .terms = {}, .certificates = TestKeeper()}};
};

TEST_F(ServiceTest, IsBelievedThroughAChangeOfAuthorityWithoutANewStart) {
  ASSERT_TRUE(Until([&] { return service_.is_believed(); }));
  const auto pass = [&](int passed) {
    now_ += hours(passed);
    server_.Merge(kube::kSecrets, kSecret,
                  R"({"metadata": {"labels": {"at": ")" + std::to_string(passed) + "\"}}}");
  };
  pass(630);
  ASSERT_TRUE(Until([&] {
    return !InSecret("next-authority.crt").empty() && service_.is_believed() &&
           service_.certificate_end() > std::chrono::system_clock::now();
  }));
  const uint16_t port = service_.port();
  const std::string before = Bundle();
  const std::string question = Question(PodWith(R"({"warpshare.io/gpu-memory": "1024"})"));
  EXPECT_TRUE(Ask(before, question));
  pass(20);
  ASSERT_TRUE(Until([&] { return Bundle() != before && service_.is_believed(); }));
  EXPECT_TRUE(Ask(before, question));
  const auto answer = Ask(Bundle(), question);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_NE(answer->body.find("\"allowed\":true"), std::string::npos);
  EXPECT_EQ(service_.port(), port);
  EXPECT_EQ(service_.counts().completed, 3u);
}

TEST_F(ServiceTest, AnswersWhatIsTooLargeWithItsStatus) {
  now_ = std::chrono::system_clock::now();
  ASSERT_TRUE(Until([&] { return service_.is_believed(); }));
  const auto answer = Ask(Bundle(), std::string(8 << 20, ' '));
  EXPECT_EQ(answer ? answer->status : 413, 413u);  // or it was cut off while still sending
  EXPECT_TRUE(Ask(Bundle(), Question(PodWith("{}"))));
}

// As the MutatingWebhookConfiguration of deploy/ has it.
constexpr std::chrono::seconds kApiServersPatience{5};

TEST_F(ServiceTest, AnswersWhileAPodHasAllConnectionsOpenAndSaysNothing) {
  now_ = std::chrono::system_clock::now();
  ASSERT_TRUE(Until([&] { return service_.is_believed(); }));
  http::Crowd pod(service_.port());
  pod.Join(300);
  const auto before = std::chrono::steady_clock::now();
  const auto answer = Ask(Bundle(), Question(PodWith(R"({"warpshare.io/gpu": "1"})")));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 200u);
  EXPECT_LT(std::chrono::steady_clock::now() - before, kApiServersPatience);
}

}  // namespace
}  // namespace warpshare::webhook
