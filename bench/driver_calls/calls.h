// What calls of the driver cost the thread that makes them.
#pragma once

#include "bench/driver_calls/stage.h"

namespace warpshare::driver_calls {

void MeasureCalls(const Stage& stage);

}  // namespace warpshare::driver_calls
