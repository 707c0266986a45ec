// The cluster's cards as its ledger has them. Large clusters have some thousand nodes and few kinds
// of them, so they are looked through once a second at most.
#pragma once

#include <optional>

#include "cluster/webhook/admission.h"
#include "platform/clock/clock.h"
#include "policy/place/ledger.h"

namespace warpshare::webhook {

class LedgerCards final : public Cards {
 public:
  // Both outlive this.
  LedgerCards(const place::Ledger& ledger, const platform::Clock& clock)
      : ledger_(ledger), clock_(clock) {}

  const admit::Inventory& Inventory() const override;

 private:
  const place::Ledger& ledger_;
  const platform::Clock& clock_;
  mutable admit::Inventory inventory_;
  mutable std::optional<platform::Clock::Time> looked_at_;
};

}  // namespace warpshare::webhook
