#include "apps/warpshare_node/cluster_side.h"

#include "node/device_plugin/pods_file.h"

namespace warpshare::app {

namespace {

Result<kube::Config> ApiServerOf(const NodeOptions& options) {
  if (!options.kubeconfig.empty()) return kube::ReadKubeconfig(options.kubeconfig);
  auto config = kube::InClusterConfig();
  if (!config) {
    config.error().message +=
        "; name the API server by --kubeconfig FILE, or give the node's pods by --pods FILE";
  }
  return config;
}

}  // namespace

Result<ClusterSide> ClusterSide::Open(const NodeOptions& options, const Node& node) {
  ClusterSide side;
  if (!options.pods_file.empty()) {
    side.file_ = std::make_unique<node::PodsFile>(options.pods_file, node.node_name);
    return side;
  }
  auto config = ApiServerOf(options);
  if (!config) return Forward(config);
  const auto current = [&cards = node.cards, &lingering = node.lingering, &taken = node.taken,
                        split = options.split] {
    node::Announcement announcement = node::AnnouncementOf(cards.Cards(), split);
    announcement.lingering = lingering.Text();
    announcement.taken = taken.Text();
    return announcement;
  };
  auto link = node::ClusterLink::Open(
      {.config = std::move(*config), .node = {.node_name = node.node_name, .current = current}},
      node.log);
  if (!link) return Forward(link);
  side.link_ = std::move(*link);
  return side;
}

}  // namespace warpshare::app
