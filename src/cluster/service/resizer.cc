#include "cluster/service/resizer.h"

#include "abi/names/annotations.h"
#include "platform/json/writer.h"
#include "platform/log_file/log_words.h"

namespace warpshare::cluster {

namespace {

// Without anything that came free; quotas change, too.
constexpr std::chrono::seconds kRefusedPause{60};
// After a write that failed: the watch tells of what was in its way.
constexpr std::chrono::seconds kFailedPause{2};

// Whoever changed the pod since it was read wins: then there is something newer to look at.
std::string PatchOf(const std::string& uid, const Resize& resize) {
  json::Writer patch;
  patch.BeginObject().Key("metadata").BeginObject();
  patch.Member("uid", uid).Member("resourceVersion", resize.version);
  patch.Key("annotations").BeginObject().Member(abi::kAnnotationAssignment, resize.text);
  return patch.EndObject().EndObject().EndObject().Take();
}

bool IsRefusal(Errc code) {
  return code == Errc::kNotFound || code == Errc::kPermission || code == Errc::kInvalid;
}

}  // namespace

void Resizer::Look() {
  const ResizeList::ByUid& resizes = ports_.view.resizes();
  std::erase_if(tries_, [&](const auto& each) { return !resizes.contains(each.first); });
  const auto now = ports_.clock.Now();
  const uint64_t freed = ports_.view.freed().count;
  std::vector<std::string> due;
  for (const auto& [uid, resize] : resizes) {
    if (calls_.contains(uid)) continue;
    const auto last = tries_.find(uid);
    const bool is_due = last == tries_.end() || last->second.version != resize.version ||
                        last->second.next <= now ||
                        (last->second.waits_for_room && last->second.freed != freed);
    if (is_due) due.push_back(uid);
  }
  // What is refused may change the list.
  for (const std::string& uid : due)
    if (const auto found = resizes.find(uid); found != resizes.end()) Begin(uid, found->second);
}

void Resizer::Begin(const std::string& uid, const Resize& resize) {
  Try& last = tries_[uid];
  last.version = resize.version;
  last.next = ports_.clock.Now() + kRefusedPause;
  const auto begun = ports_.view.BeginResize(uid);
  last.freed = ports_.view.freed().count;
  last.waits_for_room = !begun;
  if (!begun) return Refused(uid, resize, begun.error());
  Send(uid, resize);
}

void Resizer::Refused(const std::string& uid, const Resize& resize, const Error& error) {
  Try& last = tries_[uid];
  if (last.reason == error.message) return;
  last.reason = error.message;
  Tell(uid, resize, true, "not resized: " + error.message);
}

void Resizer::Send(const std::string& uid, const Resize& resize) {
  const kube::Client::PatchOf pod{.resource = kube::kPods,
                                  .name = {.space = resize.space, .name = resize.name}};
  calls_[uid] = ports_.client.Patch(
      pod, PatchOf(uid, resize), [this, uid, resize](const Result<json::Document>& answer) {
        const http::Call ended = std::move(calls_.extract(uid).mapped());
        Settle(uid, resize, answer);
      });
}

void Resizer::Settle(const std::string& uid, const Resize& resize,
                     const Result<json::Document>& answer) {
  if (answer) return Tell(uid, resize, false, "resized: " + resize.text);
  if (answer.error().code == Errc::kConflict) return;  // the watch tells what came before us
  if (IsRefusal(answer.error().code)) ports_.view.TakeBackResize(uid);
  tries_[uid].next = ports_.clock.Now() + kFailedPause;
  Refused(uid, resize, answer.error());
}

void Resizer::Tell(const std::string& uid, const Resize& resize, bool is_warning,
                   const std::string& message) {
  const kube::ObjectName pod{.space = resize.space, .name = resize.name};
  ports_.log.Line(platform::LogText(is_warning ? "resize-refused" : "resized",
                                    {{"pod", pod.Text()}, {"uid", uid}, {"what", message}}));
  ports_.client.Write({.about = pod,
                       .kind = "Pod",
                       .api_version = "v1",
                       .uid = uid,
                       .is_warning = is_warning,
                       .reason = is_warning ? "ResizeRefused" : "Resized",
                       .message = message});
}

}  // namespace warpshare::cluster
