// Lets the thread do what is forbidden while some stream is being captured (allocate and free at
// once, ask for an event) for as long as this lives, without disturbing the capture.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

class CaptureTolerance {
 public:
  CaptureTolerance() { REAL(cuThreadExchangeStreamCaptureMode)(&mode_); }
  ~CaptureTolerance() { REAL(cuThreadExchangeStreamCaptureMode)(&mode_); }
  CaptureTolerance(const CaptureTolerance&) = delete;
  CaptureTolerance& operator=(const CaptureTolerance&) = delete;

 private:
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

}  // namespace warpshare::interposer
