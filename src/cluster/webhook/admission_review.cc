#include "cluster/webhook/admission_review.h"

#include "platform/json/writer.h"
#include "types/base64.h"
#include "types/printable.h"

namespace warpshare::webhook {

namespace {

constexpr char kVersion[] = "admission.k8s.io/v1";
constexpr char kKind[] = "AdmissionReview";

Result<void> CheckKind(const json::View& body) {
  const std::string_view version = body["apiVersion"].StringOr("");
  const std::string_view kind = body["kind"].StringOr("");
  if (version == kVersion && kind == kKind) return {};
  return Fail(Errc::kInvalid, "apiVersion '" + Printable(version, 64) + "', kind '" +
                                  Printable(kind, 64) + "': only " + kVersion + " " + kKind +
                                  " is understood");
}

bool IsNewPod(const json::View& request) {
  const json::View resource = request["resource"];
  return resource["group"].StringOr("").empty() && resource["resource"].StringOr("") == "pods" &&
         request["subResource"].StringOr("").empty() &&
         request["operation"].StringOr("") == "CREATE";
}

void WriteRefusal(json::Writer& writer, const Verdict& verdict) {
  writer.Key("status")
      .BeginObject()
      .Member("code", verdict.is_forbidden ? 403 : 422)
      .Member("reason", verdict.is_forbidden ? "Forbidden" : "Invalid")
      .Member("message", verdict.message)
      .EndObject();
}

}  // namespace

Result<Review> ReadReview(const json::View& body) {
  if (auto checked = CheckKind(body); !checked) return Forward(checked);
  const json::View request = body["request"];
  const auto uid = request["uid"].String();
  if (!uid) return Fail(uid.error());
  if (uid->empty()) return request["uid"].Wrong("is empty");
  Review review{.uid = std::string(*uid),
                .space = std::string(request["namespace"].StringOr("")),
                .is_new_pod = IsNewPod(request),
                .object = request["object"]};
  if (!review.is_new_pod) return review;
  const auto object = review.object.Object();
  if (!object) return Fail(object.error());
  return review;
}

std::string AnswerTo(const Review& review, const Verdict& verdict) {
  json::Writer writer;
  writer.BeginObject().Member("apiVersion", kVersion).Member("kind", kKind).Key("response");
  writer.BeginObject().Member("uid", review.uid).Member("allowed", verdict.is_allowed);
  if (!verdict.is_allowed) WriteRefusal(writer, verdict);
  if (verdict.is_allowed && !verdict.patch.empty())
    writer.Member("patchType", "JSONPatch").Member("patch", ToBase64(verdict.patch));
  if (verdict.is_allowed && !verdict.message.empty())
    writer.Key("warnings").BeginArray().String(verdict.message).EndArray();
  return writer.EndObject().EndObject().Take();
}

}  // namespace warpshare::webhook
