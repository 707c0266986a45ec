#include "cluster/webhook/endpoint.h"

#include "platform/json/json.h"

namespace warpshare::webhook {

namespace {

// "application/json; charset=utf-8" is JSON too.
bool IsJson(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) content_type.remove_suffix(1);
  return content_type == "application/json";
}

}  // namespace

http::Response Endpoint::Answer(const http::Request& request) {
  if (request.path == "/healthz") return http::Response::Text("ok");
  if (request.path == "/readyz") {
    const std::string_view why = why_not_ready_();
    return why.empty() ? http::Response::Text("ready")
                       : http::Response::Text(std::string(why), 503);
  }
  if (request.path != kAdmissionPath) return http::Response::Text("no such path", 404);
  if (request.method != "POST") return http::Response::Text("only POST is answered here", 405);
  if (IsJson(request.headers.Find("Content-Type"))) return AnswerReview(request.body);
  ++counts_.unreadable;
  return http::Response::Text("the content is not application/json", 415);
}

http::Response Endpoint::AnswerReview(const std::string& body) {
  const auto document = json::Document::Parse(body);
  const auto review =
      document ? ReadReview(document->root()) : Result<Review>(Fail(document.error()));
  if (!review) {
    ++counts_.unreadable;
    return http::Response::Text(review.error().message, 400);
  }
  const Verdict verdict = admission_.Judge(*review);
  Count(verdict);
  return http::Response::Json(AnswerTo(*review, verdict));
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
