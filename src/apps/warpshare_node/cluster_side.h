// The node's side towards its cluster, as the flags say: where the pods come from, and who is told
// of the cards.
#pragma once

#include <memory>

#include "apps/warpshare_node/node_options.h"
#include "node/cluster_link/cluster_link.h"
#include "node/device_plugin/card_view.h"

namespace warpshare::app {

class ClusterSide {
 public:
  // With --pods that file and nobody is told; else the API server of --kubeconfig, or the one whose
  // pod this is. `cards` and `log` outlive what is returned.
  static Result<ClusterSide> Open(const NodeOptions& options, const std::string& node_name,
                                  const node::CardView& cards, platform::Log& log);

  node::AssignmentSource& pods() { return link_ ? link_->pods() : *file_; }

 private:
  std::unique_ptr<node::AssignmentSource> file_;
  std::unique_ptr<node::ClusterLink> link_;
};

}  // namespace warpshare::app
