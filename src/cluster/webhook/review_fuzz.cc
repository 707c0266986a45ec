// Whatever comes in for a question: an answer that is JSON with a patch that is one, or a refusal
// to answer that says why.
#include <cstdint>
#include <cstdlib>

#include "cluster/webhook/endpoint.h"
#include "cluster/webhook/testing/question.h"
#include "types/base64.h"

namespace {

using namespace warpshare;  // NOLINT(google-build-using-namespace): a program of one page

void CheckAnswer(const std::string& body) {
  const auto answer = json::Document::Parse(body);
  if (!answer) std::abort();
  const json::View response = (*answer)["response"];
  if (!response["allowed"].Boolean() || !response["uid"].String()) std::abort();
  if (!response["patch"].exists()) return;
  const auto patch = FromBase64(response["patch"].StringOr("*"));
  if (!patch || !json::Document::Parse(*patch)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const webhook::FixedCards cards({{{"NVIDIA A100", 80_GiB}}});
  quota::QuotaBook quotas;
  quotas.SetQuotas({{"team-a", admit::LimitByModel{{"", {.cards = 2}}}}});
  const webhook::Admission admission(cards, quotas, {.scheduler = "ours"});
  webhook::Endpoint endpoint(admission);
  http::Request request{.method = "POST",
                        .path = webhook::kAdmissionPath,
                        .query = "",
                        .headers = {},
                        .body = std::string(reinterpret_cast<const char*>(data), size)};
  request.headers.Add("Content-Type", "application/json");
  const http::Response answer = endpoint.Answer(webhook::ReadRequest(request));
  if (answer.status == 200)
    CheckAnswer(answer.body);
  else if (answer.body.empty())
    std::abort();
  return 0;
}
