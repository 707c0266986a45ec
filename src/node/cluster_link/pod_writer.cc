#include "node/cluster_link/pod_writer.h"

#include <utility>

#include "abi/names/annotations.h"
#include "platform/json/writer.h"
#include "platform/log_file/log_words.h"

namespace warpshare::node {

namespace {

kube::ObjectName NameOf(const PodOnNode& pod) {
  return {.space = pod.request.namespace_name, .name = pod.request.pod_name};
}

// Not another pod of that name, and not over what somebody wrote since.
std::string PatchOf(const PodOnNode& pod, const std::string& assignment) {
  json::Writer patch;
  patch.BeginObject().Key("metadata").BeginObject();
  patch.Member("uid", pod.object_uid).Member("resourceVersion", pod.version);
  patch.Key("annotations").BeginObject().Member(abi::kAnnotationAssignment, assignment);
  return patch.EndObject().EndObject().EndObject().Take();
}

}  // namespace

void PodWriter::WriteAssignment(const PodOnNode& pod, const std::string& text) {
  const auto done = [this, name = NameOf(pod).Text()](const Result<json::Document>& answer) {
    // Somebody changed the pod meanwhile; whoever wants it written reads it again.
    if (answer || answer.error().code == Errc::kConflict) return;
    log_.Line(
        platform::LogText("assignment not written", {{"pod", name}, {"reason", answer.error()}}));
  };
  client_.loop().Post([this, name = NameOf(pod), patch = PatchOf(pod, text), done] {
    client_.Patch({.resource = kube::kPods, .name = name}, patch, done).Detach();
  });
}

void PodWriter::Warn(const PodOnNode& pod, const std::string& reason, const std::string& message) {
  kube::Note note{.about = NameOf(pod),
                  .kind = "Pod",
                  .api_version = "v1",
                  .uid = pod.object_uid,
                  .is_warning = true,
                  .reason = reason,
                  .message = message};
  client_.loop().Post([this, note = std::move(note)] { client_.Write(note); });
}

}  // namespace warpshare::node
