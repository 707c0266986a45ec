#include "cluster/inventory/cluster_feed.h"

#include "cluster/inventory/pod_json.h"
#include "platform/log_file/log_words.h"

namespace warpshare::cluster {

namespace {

kube::InformerEvents NodeEvents(ClusterView& view) {
  return {
      .set = [&view](const kube::ObjectName&, json::View node) { view.SetNode(NodeViewOf(node)); },
      .removed = [&view](const kube::ObjectName& name) { view.RemoveNode(name.name); }};
}

kube::InformerEvents PodEvents(ClusterView& view) {
  return {
      .set = [&view](const kube::ObjectName&,
                     json::View pod) { view.SetPod(PodViewOf(pod), HasEnded(pod)); },
      .removed = [&view](const kube::ObjectName& name) { view.RemovePod(name.space, name.name); }};
}

kube::InformerEvents Logged(kube::InformerEvents events, const char* what, platform::Log& log) {
  events.synced = [what, &log] { log.Line(platform::LogText("synced", {{"what", what}})); };
  events.trouble = [what, &log](const Error& error) {
    log.Line(platform::LogText("watch-trouble", {{"what", what}, {"error", error}}));
  };
  return events;
}

}  // namespace

ClusterFeed::ClusterFeed(kube::Client& client, ClusterView& view, platform::Log& log)
    : nodes_(client, {.resource = kube::kNodes}, Logged(NodeEvents(view), "nodes", log)),
      pods_(client, {.resource = kube::kPods}, Logged(PodEvents(view), "pods", log)) {}

void ClusterFeed::Start() {
  nodes_.Start();
  pods_.Start();
}

}  // namespace warpshare::cluster
