#include "apps/warpshare_node/cluster_side.h"

#include "node/device_plugin/pods_file.h"
#include "policy/node_cards/node_cards.h"

namespace warpshare::app {

namespace {

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kWholeCard = 100;  // percent

place::CardSpec SpecOf(const node::CardState& state, uint32_t split) {
  const platform::Card& card = state.card;
  return {.uuid = card.uuid,
          .model = card.name,
          .memory = card.total,
          .slots = split,
          .healthy = state.is_healthy,
          .numa_node = card.numa_node ? static_cast<int16_t>(*card.numa_node) : int16_t{-1}};
}

node::Announcement AnnouncementOf(const node::CardView& cards, uint32_t split) {
  node::Announcement announcement;
  std::vector<place::CardSpec> specs;
  for (const node::CardState& state : cards.Cards()) {
    specs.push_back(SpecOf(state, split));
    if (!state.is_healthy) continue;
    announcement.memory_mib += static_cast<int64_t>(state.card.total.count()) / kMiB;
    announcement.core_percent += kWholeCard;
  }
  announcement.cards = node_cards::Encode(specs);
  return announcement;
}

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

Result<ClusterSide> ClusterSide::Open(const NodeOptions& options, const std::string& node_name,
                                      const node::CardView& cards, platform::Log& log) {
  ClusterSide side;
  if (!options.pods_file.empty()) {
    side.file_ = std::make_unique<node::PodsFile>(options.pods_file, node_name);
    return side;
  }
  auto config = ApiServerOf(options);
  if (!config) return Forward(config);
  const auto current = [&cards, split = options.split] { return AnnouncementOf(cards, split); };
  auto link = node::ClusterLink::Open(
      {.config = std::move(*config), .node = {.node_name = node_name, .current = current}}, log);
  if (!link) return Forward(link);
  side.link_ = std::move(*link);
  return side;
}

}  // namespace warpshare::app
