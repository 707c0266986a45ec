// Holds a stream back until all is queued behind it that is to follow without a gap, however slow
// the machine is at queueing it.
#pragma once

#include <gtest/gtest.h>

#include <atomic>

#include "simgpu/cuda/launch/api.h"

namespace simgpu::testing {

class StreamGate {
 public:
  explicit StreamGate(CUstream stream) {
    const auto wait = [](void* gate) { static_cast<StreamGate*>(gate)->is_open_.wait(false); };
    EXPECT_EQ(cuLaunchHostFunc(stream, wait, this), CUDA_SUCCESS);
  }
  // The stream must be synchronized before the gate goes.
  ~StreamGate() { Open(); }
  StreamGate(const StreamGate&) = delete;
  StreamGate& operator=(const StreamGate&) = delete;

  void Open() {
    is_open_ = true;
    is_open_.notify_all();
  }

 private:
  std::atomic<bool> is_open_ = false;
};

}  // namespace simgpu::testing
