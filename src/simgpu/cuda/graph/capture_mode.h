// Which captures keep a thread from making unsafe calls, and a cheap way to know that none does.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// Of the calling thread; CU_STREAM_CAPTURE_MODE_GLOBAL at first.
CUstreamCaptureMode ThreadCaptureMode();
CUstreamCaptureMode ExchangeThreadCaptureMode(CUstreamCaptureMode mode);

// Captures in force are counted, so that calls outside of any need no lock.
bool AnyCapture();
void CountCapture(int change);

}  // namespace simgpu::cuda
