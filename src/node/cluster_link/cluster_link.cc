#include "node/cluster_link/cluster_link.h"

#include "node/device_plugin/pod_json.h"
#include "platform/log_file/log_words.h"
#include "pods/pod_json.h"

namespace warpshare::node {

Result<std::unique_ptr<ClusterLink>> ClusterLink::Open(Setup setup, platform::Log& log) {
  std::unique_ptr<ClusterLink> link(new ClusterLink(setup, log));
  auto client = kube::Client::Make(link->loop_,
                                   {.config = std::move(setup.config), .agent = "warpshare-node"});
  if (!client) return Forward(client);
  link->client_ = std::move(*client);
  link->WatchPods(setup.node.node_name);
  link->announcer_ = std::make_unique<Announcer>(*link->client_, std::move(setup.node), log);
  link->announcer_->Start();
  link->thread_ = std::thread([loop = &link->loop_] { loop->Run(); });
  return link;
}

// What was made on the loop goes with nobody running it any more.
ClusterLink::~ClusterLink() {
  loop_.Stop();
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
