// The API server's question whether an object may be stored, and the answer (AdmissionReview of
// admission.k8s.io/v1).
#pragma once

#include <string>
#include <string_view>

#include "platform/json/json.h"
#include "result/result.h"

namespace warpshare::webhook {

// Looks into its document.
struct Review {
  std::string uid;    // of the question; its answer has the same
  std::string space;  // the namespace
  bool is_new_pod;    // anything else is none of our business
  json::View object;  // the pod, where it is one
};

// Only what could not be answered at all is an error.
Result<Review> ReadReview(const json::View& untrusted_body);

struct Verdict {
  bool is_allowed = true;
  std::string patch = {};     // "": as it is; else a JSON patch
  std::string message = {};   // why not, or a warning to the one who asked
  bool is_forbidden = false;  // refused for what others have, not for what it is
  bool is_adopted = false;    // it asks for warpshare.io/gpu in place of nvidia.com/gpu
};

std::string AnswerTo(const Review& review, const Verdict& verdict);

}  // namespace warpshare::webhook
