// warpshare inspect: what every node of a Kubernetes cluster has of cards, and who has what of
// them.
#pragma once

#include "apps/warpshare/options.h"

namespace warpshare::app {

int Inspect(const InspectOptions& options);

}  // namespace warpshare::app
