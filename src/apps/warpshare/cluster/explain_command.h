// warpshare explain: why a pod of a Kubernetes cluster waits, or where it is and what it has.
#pragma once

#include "apps/warpshare/options.h"

namespace warpshare::app {

// Beside those of complaint.h.
inline constexpr int kWaits = 3;      // the pod has no place, and none is free for it
inline constexpr int kDisagrees = 4;  // it is on a node, and something there does not fit with it

int Explain(const ExplainOptions& options);

}  // namespace warpshare::app
