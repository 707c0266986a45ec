// What two events around a kernel measure, and what asking for it costs.
#pragma once

#include "bench/driver_calls/stage.h"

namespace warpshare::driver_calls {

void MeasureEvents(const Stage& stage);

}  // namespace warpshare::driver_calls
