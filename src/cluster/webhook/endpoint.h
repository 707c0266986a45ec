// The HTTP side of admission: a request in, an answer out, whatever the request is. What takes long
// with a large one, reading it, needs no cluster and may be done on any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "cluster/webhook/admission.h"
#include "platform/http/message.h"
#include "platform/json/json.h"

namespace warpshare::webhook {

inline constexpr char kAdmissionPath[] = "/admit-pods";

struct AdmissionCounts {
  uint64_t untouched = 0;  // let in as they were
  uint64_t completed = 0;  // let in with a patch
  uint64_t adopted = 0;    // of a patch, too: plain nvidia.com/gpu is ours now
  uint64_t refused = 0;
  uint64_t forbidden = 0;   // refused by quota
  uint64_t unreadable = 0;  // answered with 4xx
};

// What a request turned out to ask. Of the request itself nothing is needed any more.
struct Asked {
  enum class What : uint8_t { kAdmission, kReadiness, kAnswered, kUnreadable };

  What what = What::kAnswered;
  http::Response answer = {};    // to kAnswered and kUnreadable
  json::Document document = {};  // of kAdmission
  Review review = {};            // looks into it
};

Asked ReadRequest(const http::Request& untrusted_request);

class Endpoint {
 public:
  // Empty: nothing keeps it from being asked.
  using WhyNotReady = std::function<std::string_view()>;

  // `admission` outlives this. Until it is ready /readyz says why; who asks about pods is answered.
  explicit Endpoint(
      const Admission& admission, WhyNotReady why_not_ready = [] { return std::string_view(); })
      : admission_(admission), why_not_ready_(std::move(why_not_ready)) {}

  http::Response Answer(Asked asked);
  const AdmissionCounts& counts() const { return counts_; }

 private:
  http::Response AnswerReadiness() const;
  http::Response AnswerReview(const Review& review);
  void Count(const Verdict& verdict);

  const Admission& admission_;
  const WhyNotReady why_not_ready_;
  AdmissionCounts counts_;
};

}  // namespace warpshare::webhook
