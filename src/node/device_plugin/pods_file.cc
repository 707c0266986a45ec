#include "node/device_plugin/pods_file.h"

#include <sys/stat.h>

#include <functional>

#include "node/device_plugin/pod_json.h"
#include "platform/descriptor/descriptor.h"
#include "pods/pod_json.h"

namespace warpshare::node {

namespace {

constexpr size_t kMostBytes = 256 << 20;

Result<PodOnNode> FindIn(const Result<std::vector<PodOnNode>>& pods,
                         const std::function<bool(const request::Request&)>& is_it) {
  if (!pods) return Fail(pods.error());
  for (const PodOnNode& pod : *pods)
    if (is_it(pod.request)) return pod;
  return Fail(Errc::kNotFound,
              "the cluster has no such pod on this node, or its request makes no "
              "sense");
}

}  // namespace

Result<std::vector<PodOnNode>> PodsFile::Pods() {
  const auto text = platform::ReadWholeFile(path_, kMostBytes);
  if (!text) return Fail(Errc::kUnavailable, text.error().message);
  const auto document = json::Document::Parse(*text, {.bytes = kMostBytes});
  if (!document) return Fail(Errc::kUnavailable, path_ + ": " + document.error().message);
  std::vector<PodOnNode> pods;
  for (const json::View item : (*document)["items"].items()) {
    if (item["spec"]["nodeName"].StringOr("") != node_name_ || pods::HasEnded(item)) continue;
    if (auto pod = PodFromJson(item)) pods.push_back(std::move(*pod));
  }
  return pods;
}

Result<PodOnNode> PodsFile::FindByUid(const std::string& pod_uid) {
  return FindIn(Pods(), [&](const request::Request& pod) { return pod.pod_uid == pod_uid; });
}

Result<PodOnNode> PodsFile::FindByName(const std::string& name_space, const std::string& name) {
  return FindIn(Pods(), [&](const request::Request& pod) {
    return pod.namespace_name == name_space && pod.pod_name == name;
  });
}

// Whoever writes it puts another file in its place, or this one's time on.
uint64_t PodsFile::changes() {
  struct stat file = {};
  if (stat(path_.c_str(), &file) != 0) return 0;
  constexpr uint64_t kNsPerSecond = 1'000'000'000;
  const auto time = static_cast<uint64_t>(file.st_mtim.tv_sec) * kNsPerSecond +
                    static_cast<uint64_t>(file.st_mtim.tv_nsec);
  return time ^ file.st_ino;
}

}  // namespace warpshare::node
