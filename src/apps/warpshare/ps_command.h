// warpshare ps: who is on the cards right now.
#pragma once

#include "apps/warpshare/compute_rates.h"
#include "apps/warpshare/options.h"
#include "result/result.h"

namespace warpshare::app {

int Ps(const PsOptions& options);

// All tenants in use, after leftovers were removed. Without a state folder there are none.
Result<Observation> ObserveTenants();

}  // namespace warpshare::app
