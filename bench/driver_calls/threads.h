// What this machine needs to tell the time, and to wake up a thread.
#pragma once

namespace warpshare::driver_calls {

void MeasureThreads();

}  // namespace warpshare::driver_calls
