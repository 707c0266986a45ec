// Pods that found no room, or were over their quota, wait for something to happen that
// kube-scheduler can see: it looks again at what an extender refused when a pod ends or a node
// changes, or after minutes. It cannot see a reservation that came to nothing, nor a quota; and of
// a pod's end or a node's new card it may have heard, and asked again, before we had. So a node is
// touched, the one where something came free if there is one.
#pragma once

#include <functional>
#include <utility>

#include "cluster/inventory/cluster_view.h"
#include "cluster/quota/quota_book.h"
#include "platform/clock/clock.h"
#include "platform/kube/client.h"

namespace warpshare::cluster {

class Waker {
 public:
  struct Ports {
    const ClusterView& view;
    kube::Client& client;
    const platform::Clock& clock;
    const quota::QuotaBook* quotas = nullptr;  // none: no quotas
    // How often a pod should have looked at other nodes than it did.
    std::function<uint64_t()> unseen = [] { return 0; };
  };
  explicit Waker(Ports ports) : ports_(std::move(ports)) {}

  // Touches a node where it is time to. To be called now and then, by who leads.
  void Look();

 private:
  // How much has happened that nobody else tells of.
  struct Happened {
    uint64_t freed = 0;
    uint64_t quotas = 0;
    uint64_t unseen = 0;

    bool operator==(const Happened&) const = default;
  };
  Happened Now() const;
  std::string NodeToTouch() const;  // "": there is none
  void Touch(const std::string& node);

  const Ports ports_;
  Happened woken_for_;
  platform::Clock::Time next_{};
  bool is_touching_ = false;
  http::Call call_;
};

}  // namespace warpshare::cluster
