// warpshare doctor: what works here, what does not, and how to mend it.
#pragma once

#include "apps/warpshare/options.h"

namespace warpshare::app {

// Fails if anything is broken; what is merely odd does not count.
int Doctor(const DoctorOptions& options);

}  // namespace warpshare::app
