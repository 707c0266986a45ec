#include "cluster/webhook/admission_review.h"

#include <gtest/gtest.h>

namespace warpshare::webhook {
namespace {

std::string Body(const std::string& request, const char* version = "admission.k8s.io/v1") {
  return R"({"kind": "AdmissionReview", "apiVersion": ")" + std::string(version) +
         R"(", "request": )" + request + "}";
}

TEST(AdmissionReview, ReadsWhatIsAsked) {
  const auto document = json::Document::Parse(Body(
      R"({"uid": "u1", "namespace": "a", "operation": "CREATE", "dryRun": true,
          "resource": {"group": "", "version": "v1", "resource": "pods"}, "object": {"spec": {}}})"));
  const auto review = ReadReview(document->root());
  ASSERT_TRUE(review) << review.error().message;
  EXPECT_EQ(review->uid, "u1");
  EXPECT_EQ(review->space, "a");
  EXPECT_TRUE(review->is_new_pod);
  EXPECT_TRUE(review->object["spec"].exists());
}

TEST(AdmissionReview, CaresForNewPodsOnly) {
  for (const char* request :
       {R"({"uid": "u", "operation": "UPDATE", "resource": {"resource": "pods"}})",
        R"({"uid": "u", "operation": "CREATE", "resource": {"resource": "services"}})",
        R"({"uid": "u", "operation": "CREATE", "resource": {"group": "x", "resource": "pods"}})",
        R"({"uid": "u", "operation": "CREATE", "resource": {"resource": "pods"},
               "subResource": "binding"})",
        R"({"uid": "u"})"}) {
    const auto document = json::Document::Parse(Body(request));
    const auto review = ReadReview(document->root());
    ASSERT_TRUE(review) << request;
    EXPECT_FALSE(review->is_new_pod) << request;
  }
}

TEST(AdmissionReview, SaysWhatCannotBeAnswered) {
  const struct {
    std::string body;
    const char* error;
  } table[] = {
      {"[]", "apiVersion '', kind '': only admission.k8s.io/v1 AdmissionReview is understood"},
      {Body("{}", "admission.k8s.io/v1beta1"),
       "apiVersion 'admission.k8s.io/v1beta1', kind 'AdmissionReview': only admission.k8s.io/v1 "
       "AdmissionReview is understood"},
      {Body("{}"), "request.uid: "},
      {Body("[]"), "request.uid: "},
      {Body(R"({"uid": ""})"), "request.uid: is empty"},
      {Body(R"({"uid": "u", "operation": "CREATE", "resource": {"resource": "pods"}})"),
       "request.object: "},
  };
  for (const auto& [body, error] : table) {
    const auto document = json::Document::Parse(body);
    const auto review = ReadReview(document->root());
    ASSERT_FALSE(review) << body;
    EXPECT_TRUE(review.error().message.starts_with(error)) << review.error().message;
  }
}

TEST(AdmissionReview, AnswersInTheSameWords) {
  const std::string head = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",)"
                           R"("response":{"uid":"u\"1","allowed":)";
  const Review review{.uid = "u\"1", .space = "", .is_new_pod = true, .object = {}};
  EXPECT_EQ(AnswerTo(review, {}), head + "true}}");
  EXPECT_EQ(AnswerTo(review, {.patch = "[]", .message = "beware"}),
            head + R"(true,"patchType":"JSONPatch","patch":"W10=","warnings":["beware"]}})");
  EXPECT_EQ(AnswerTo(review, {.is_allowed = false, .patch = "[]", .message = "no"}),
            head + R"(false,"status":{"code":422,"reason":"Invalid","message":"no"}}})");
  EXPECT_EQ(AnswerTo(review, {.is_allowed = false, .message = "no", .is_forbidden = true}),
            head + R"(false,"status":{"code":403,"reason":"Forbidden","message":"no"}}})");
}

}  // namespace
}  // namespace warpshare::webhook
