#include "cluster/webhook/endpoint.h"

#include <gtest/gtest.h>

#include "cluster/webhook/testing/question.h"
#include "types/base64.h"

namespace warpshare::webhook {
namespace {

class EndpointTest : public testing::Test {
 protected:
  EndpointTest() { quotas_.SetQuotas({}); }

  http::Response Post(const std::string& body, const char* type = "application/json") {
    http::Request request{
        .method = "POST", .path = kAdmissionPath, .query = "", .headers = {}, .body = body};
    request.headers.Add("content-type", type);
    return endpoint_.Answer(ReadRequest(request));
  }

  FixedCards cards_{{}};
  quota::QuotaBook quotas_;
  const Admission admission_{cards_, quotas_, {}};
  Endpoint endpoint_{admission_};
};

TEST_F(EndpointTest, AnswersTheQuestionWithAPatch) {
  const auto answer = Post(Question(PodWith(R"({"warpshare.io/gpu-memory": "1024"})")),
                           "application/json; charset=utf-8");
  EXPECT_EQ(answer.status, 200u);
  const auto document = json::Document::Parse(answer.body);
  const json::View response = (*document)["response"];
  EXPECT_EQ(response["uid"].StringOr(""), "u1");
  EXPECT_TRUE(response["allowed"].BooleanOr(false));
  const auto patch = FromBase64(response["patch"].StringOr(""));
  ASSERT_TRUE(patch);
  EXPECT_EQ(json::Document::Parse(*patch)->root().size(), 3u);  // requests was missing
  EXPECT_EQ(endpoint_.counts().completed, 1u);
}

TEST_F(EndpointTest, AnswersADryRunLikeAnyOther) {
  std::string question = Question(PodWith(R"({"warpshare.io/gpu": "1"})"));
  const std::string answer = Post(question).body;
  question.replace(question.find("\"dryRun\": false"), 15, "\"dryRun\": true ");
  EXPECT_EQ(Post(question).body, answer);
}

TEST_F(EndpointTest, CountsWhatBecameOfThePods) {
  Post(Question(PodWith("{}")));
  Post(Question(PodWith(R"({"warpshare.io/gpu-cores": "0"})")));
  Post(Question(PodWith(R"({"nvidia.com/gpu": "1"})")));
  quotas_.SetQuotas({{"team-a", admit::LimitByModel{{"", {.cards = 0}}}}});
  Post(Question(PodWith(R"({"warpshare.io/gpu": "1"})")));
  EXPECT_EQ(endpoint_.counts().untouched, 1u);
  EXPECT_EQ(endpoint_.counts().refused, 1u);
  EXPECT_EQ(endpoint_.counts().adopted, 1u);
  EXPECT_EQ(endpoint_.counts().forbidden, 1u);
}

TEST_F(EndpointTest, SaysWhetherItIsReadyToBeAsked) {
  const http::Request request{.path = "/readyz", .query = "", .headers = {}, .body = ""};
  EXPECT_EQ(endpoint_.Answer(ReadRequest(request)).status, 200u);
  std::string_view why = "the quotas were not read yet";
  Endpoint early(admission_, [&] { return why; });
  EXPECT_EQ(early.Answer(ReadRequest(request)).status, 503u);
  EXPECT_EQ(early.Answer(ReadRequest(request)).body, why);
  why = "";
  EXPECT_EQ(early.Answer(ReadRequest(request)).status, 200u);
}

TEST_F(EndpointTest, AnswersNonsenseWithAReason) {
  EXPECT_EQ(Post("").status, 400u);
  EXPECT_EQ(Post("{\"kind\":").status, 400u);
  EXPECT_EQ(Post("{}").status, 400u);
  EXPECT_EQ(Post(std::string(100, '[')).status, 400u);
  EXPECT_NE(Post("{}").body.find("only admission.k8s.io/v1"), std::string::npos);
  EXPECT_EQ(Post(Question("{}"), "text/plain").status, 415u);
  EXPECT_EQ(endpoint_.counts().unreadable, 6u);
}

TEST_F(EndpointTest, KnowsOnePathAndItsHealth) {
  const auto ask = [&](const char* method, const char* path) {
    return endpoint_.Answer(ReadRequest({.method = method, .path = path})).status;
  };
  EXPECT_EQ(ask("GET", "/healthz"), 200u);
  EXPECT_EQ(ask("GET", kAdmissionPath), 405u);
  EXPECT_EQ(ask("POST", "/"), 404u);
}

}  // namespace
}  // namespace warpshare::webhook
