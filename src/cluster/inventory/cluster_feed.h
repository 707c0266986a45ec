// Fills a ClusterView from the API server's watches of nodes and pods, for as long as it lives. On
// the client's loop, as the view is.
#pragma once

#include "cluster/inventory/cluster_view.h"
#include "platform/kube/client.h"
#include "platform/kube/informer.h"

namespace warpshare::cluster {

class ClusterFeed {
 public:
  ClusterFeed(kube::Client& client, ClusterView& view, platform::Log& log);

  void Start();
  // The view has been told all nodes and all pods once; until then it knows too few holds.
  bool is_synced() const { return nodes_.is_synced() && pods_.is_synced(); }

 private:
  // After the nodes, so that the cards of their holds are known to whoever counts them by model.
  void StartPods();

  kube::Informer nodes_;
  kube::Informer pods_;
  bool has_pods_ = false;
};

}  // namespace warpshare::cluster
