// What a pod holds on the ledger, as a quota counts it.
#pragma once

#include "policy/admit/quota.h"
#include "policy/place/ledger.h"

namespace warpshare::quota {

// In all, and by the models of the cards that the ledger knows. Each card counts with the most that
// the pod holds of it at any time.
admit::AmountByModel AmountOf(const place::PodHold& hold, const place::Ledger& ledger);

}  // namespace warpshare::quota
