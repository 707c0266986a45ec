// Pods that found no room wait for something to happen that kube-scheduler can see: it looks again
// at what an extender refused when a pod ends or a node changes, or after minutes. It cannot see a
// reservation that came to nothing; and when a pod ends it may ask again before we have heard of
// that. So the node is touched where something came free.
#pragma once

#include "cluster/inventory/cluster_view.h"
#include "platform/clock/clock.h"
#include "platform/kube/client.h"

namespace warpshare::cluster {

class Waker {
 public:
  struct Ports {
    const ClusterView& view;
    kube::Client& client;
    const platform::Clock& clock;
  };
  explicit Waker(Ports ports) : ports_(ports) {}

  // Touches a node where it is time to. To be called now and then, by who leads.
  void Look();

 private:
  const Ports ports_;
  uint64_t woken_for_ = 0;  // of ClusterView::Lost
  platform::Clock::Time next_{};
};

}  // namespace warpshare::cluster
