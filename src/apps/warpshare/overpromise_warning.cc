#include "apps/warpshare/overpromise_warning.h"

#include <string>

#include "apps/warpshare/complaint.h"
#include "node/tenancy/card_promises.h"
#include "types/decimal.h"

namespace warpshare::app {

void WarnOfOverpromises(const node::StateDir& state, const TenantName& tenant) {
  for (const node::Overpromise& card : node::FindOverpromises(state, tenant.text())) {
    std::string names;
    for (const std::string& name : card.tenants) names += (names.empty() ? "" : ", ") + name;
    Complain("warning: card " + card.card + ": the shares of " + names + " add up to " +
             DecimalText(card.permille, 1) +
             "%: when all want theirs, each gets less: lower one with warpshare set");
  }
}

}  // namespace warpshare::app
