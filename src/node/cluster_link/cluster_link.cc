#include "node/cluster_link/cluster_link.h"

#include "node/device_plugin/pod_json.h"
#include "platform/log_file/log_words.h"
#include "pods/pod_json.h"

namespace warpshare::node {

namespace {

// Without what was given back the capacity would be too little for the pods that are there.
std::optional<NodeCapacity> WithGivenBack(NodePods& pods, const NodeCapacity& capacity) {
  if (pods.changes() == 0) return std::nullopt;  // and it would wait
  const auto all = pods.Pods();
  if (!all) return std::nullopt;
  NodeCapacity sum = capacity;
  for (const PodOnNode& pod : *all) {
    sum.memory_mib += pod.given_back.memory_mib;
    sum.core_percent += pod.given_back.core_percent;
  }
  return sum;
}

}  // namespace

Result<std::unique_ptr<ClusterLink>> ClusterLink::Open(Setup setup, platform::Log& log) {
  std::unique_ptr<ClusterLink> link(new ClusterLink(setup, log));
  auto client = kube::Client::Make(link->loop_,
                                   {.config = std::move(setup.config), .agent = "warpshare-node"});
  if (!client) return Forward(client);
  link->client_ = std::move(*client);
  setup.node.current = [current = std::move(setup.node.current), &pods = link->pods_] {
    Announcement announcement = current();
    if (announcement.capacity) announcement.capacity = WithGivenBack(pods, *announcement.capacity);
    return announcement;
  };
  link->writer_ = std::make_unique<PodWriter>(*link->client_, log);
  link->WatchPods(setup.node.node_name);
  link->announcer_ = std::make_unique<Announcer>(*link->client_, std::move(setup.node), log);
  link->announcer_->Start();
  link->thread_ = std::thread([loop = &link->loop_] { loop->Run(); });
  return link;
}

// What was made on the loop goes with nobody running it any more. Told on the loop: its thread may
// not have begun to run it, and would not hear of it before.
ClusterLink::~ClusterLink() {
  loop_.Post([this] { loop_.Stop(); });
  if (thread_.joinable()) thread_.join();
}

void ClusterLink::WatchPods(const std::string& node_name) {
  const auto set = [this](const kube::ObjectName& name, json::View pod) {
    if (pods::HasEnded(pod)) return pods_.Remove(name.space, name.name);
    pods_.Set(name.space, name.name, std::string(pod["metadata"]["uid"].StringOr("")),
              PodFromJson(pod));
  };
  const auto trouble = [this](const Error& error) {
    log_.Line(platform::LogText("watch-interrupted", {{"what", "pods"}, {"reason", error}}));
  };
  informer_ = std::make_unique<kube::Informer>(
      *client_,
      kube::InformerOptions{.resource = kube::kPods,
                            .space = "",
                            .selector = {.labels = "", .fields = "spec.nodeName=" + node_name}},
      kube::InformerEvents{
          .set = set,
          .removed = [this](const kube::ObjectName& name) { pods_.Remove(name.space, name.name); },
          .synced = [this] { pods_.Synced(); },
          .trouble = trouble});
  informer_->Start();
}

}  // namespace warpshare::node
