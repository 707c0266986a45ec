// The node's side towards its cluster, as the flags say: where the pods come from, and who is told
// of the cards.
#pragma once

#include <memory>

#include "apps/warpshare_node/node_options.h"
#include "node/cluster_link/cluster_link.h"
#include "node/device_plugin/card_view.h"
#include "node/device_plugin/lingering.h"
#include "node/device_plugin/taken_cards.h"

namespace warpshare::app {

class ClusterSide {
 public:
  // These outlive what is made of them.
  struct Node {
    std::string node_name;
    const node::CardView& cards;
    const node::Lingering& lingering;
    const node::TakenCards& taken;
    platform::Log& log;
  };
  // With --pods that file and nobody is told; else the API server of --kubeconfig, or the one whose
  // pod this is.
  static Result<ClusterSide> Open(const NodeOptions& options, const Node& node);

  node::AssignmentSource& pods() { return link_ ? link_->pods() : *file_; }
  node::PodVoice& voice() { return link_ ? link_->voice() : *nobody_; }

 private:
  std::unique_ptr<node::PodVoice> nobody_ = std::make_unique<node::NoVoice>();
  std::unique_ptr<node::AssignmentSource> file_;
  std::unique_ptr<node::ClusterLink> link_;
};

}  // namespace warpshare::app
