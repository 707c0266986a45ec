#include "cluster/webhook/endpoint.h"

#include <utility>

namespace warpshare::webhook {

namespace {

// "application/json; charset=utf-8" is JSON too.
bool IsJson(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) content_type.remove_suffix(1);
  return content_type == "application/json";
}

Asked Answered(http::Response answer) {
  return {.what = Asked::What::kAnswered, .answer = std::move(answer)};
}

Asked Unreadable(std::string why, unsigned status) {
  return {.what = Asked::What::kUnreadable, .answer = http::Response::Text(std::move(why), status)};
}

Asked ReadAdmission(const std::string& body) {
  auto document = json::Document::Parse(body);
  if (!document) return Unreadable(document.error().message, 400);
  auto review = ReadReview(document->root());
  if (!review) return Unreadable(review.error().message, 400);
  return {.what = Asked::What::kAdmission,
          .document = std::move(*document),
          .review = std::move(*review)};
}

}  // namespace

Asked ReadRequest(const http::Request& request) {
  if (request.path == "/healthz") return Answered(http::Response::Text("ok"));
  if (request.path == "/readyz") return {.what = Asked::What::kReadiness};
  if (request.path != kAdmissionPath) return Answered(http::Response::Text("no such path", 404));
  if (request.method != "POST")
    return Answered(http::Response::Text("only POST is answered here", 405));
  if (IsJson(request.headers.Find("Content-Type"))) return ReadAdmission(request.body);
  return Unreadable("the content is not application/json", 415);
}

http::Response Endpoint::Answer(Asked asked) {
  switch (asked.what) {
    case Asked::What::kAdmission:
      return AnswerReview(asked.review);
    case Asked::What::kReadiness:
      return AnswerReadiness();
    case Asked::What::kUnreadable:
      ++counts_.unreadable;
      break;
    case Asked::What::kAnswered:
      break;
  }
  return std::move(asked.answer);
}

http::Response Endpoint::AnswerReadiness() const {
  const std::string_view why = why_not_ready_();
  return why.empty() ? http::Response::Text("ready") : http::Response::Text(std::string(why), 503);
}

http::Response Endpoint::AnswerReview(const Review& review) {
  const Verdict verdict = admission_.Judge(review);
  Count(verdict);
  return http::Response::Json(AnswerTo(review, verdict));
}

void Endpoint::Count(const Verdict& verdict) {
  if (verdict.is_adopted)
    ++counts_.adopted;
  else if (verdict.is_allowed)
    ++(verdict.patch.empty() ? counts_.untouched : counts_.completed);
  else
    ++(verdict.is_forbidden ? counts_.forbidden : counts_.refused);
}

}  // namespace warpshare::webhook
