#include "cluster/inventory/cluster_feed.h"

#include <functional>
#include <utility>

#include "platform/log_file/log_words.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {

namespace {

kube::InformerEvents NodeEvents(ClusterView& view, std::function<void()> synced) {
  return {
      .set = [&view](const kube::ObjectName&, json::View node) { view.SetNode(NodeViewOf(node)); },
      .removed = [&view](const kube::ObjectName& name) { view.RemoveNode(name.name); },
      .synced = std::move(synced)};
}

kube::InformerEvents PodEvents(ClusterView& view) {
  return {
      .set = [&view](const kube::ObjectName&,
                     json::View pod) { view.SetPod(pods::PodViewOf(pod), pods::HasEnded(pod)); },
      .removed = [&view](const kube::ObjectName& name) { view.RemovePod(name.space, name.name); }};
}

kube::InformerEvents Logged(kube::InformerEvents events, const char* what, platform::Log& log) {
  events.synced = [what, &log, then = std::move(events.synced)] {
    log.Line(platform::LogText("synced", {{"what", what}}));
    then();
  };
  events.trouble = [what, &log](const Error& error) {
    log.Line(platform::LogText("watch-trouble", {{"what", what}, {"error", error}}));
  };
  return events;
}

}  // namespace

ClusterFeed::ClusterFeed(kube::Client& client, ClusterView& view, platform::Log& log)
    : nodes_(client, {.resource = kube::kNodes},
             Logged(NodeEvents(view, [this] { StartPods(); }), "nodes", log)),
      pods_(client, {.resource = kube::kPods}, Logged(PodEvents(view), "pods", log)) {}

void ClusterFeed::Start() { nodes_.Start(); }

void ClusterFeed::StartPods() {
  if (!std::exchange(has_pods_, true)) pods_.Start();
}

}  // namespace warpshare::cluster
