// The cluster's cards as its ledger has them. Large clusters have some thousand nodes and few kinds
// of them, so they are looked through once a second at most.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "cluster/inventory/cluster_view.h"
#include "cluster/webhook/admission.h"
#include "platform/clock/clock.h"

namespace warpshare::webhook {

class LedgerCards final : public Cards {
 public:
  // `knows_cluster`: the view has been told all nodes. The others outlive this.
  LedgerCards(const cluster::ClusterView& view, const platform::Clock& clock,
              std::function<bool()> knows_cluster)
      : view_(view), clock_(clock), knows_cluster_(std::move(knows_cluster)) {}

  const admit::Inventory& Inventory() const override;
  bool MayHaveNvidiasPlugin() const override {
    return view_.HasNvidiasPlugin() || !knows_cluster_();
  }

 private:
  const cluster::ClusterView& view_;
  const platform::Clock& clock_;
  const std::function<bool()> knows_cluster_;
  mutable admit::Inventory inventory_;
  mutable std::optional<platform::Clock::Time> looked_at_;
};

}  // namespace warpshare::webhook
