#include "simgpu/cuda/graph/capture_mode.h"

#include <atomic>
#include <utility>

namespace simgpu::cuda {
namespace {

thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

std::atomic<int> g_captures{0};

}  // namespace

CUstreamCaptureMode ThreadCaptureMode() { return thread_mode; }

CUstreamCaptureMode ExchangeThreadCaptureMode(CUstreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

bool AnyCapture() { return g_captures.load(std::memory_order_acquire) > 0; }

void CountCapture(int change) { g_captures.fetch_add(change, std::memory_order_acq_rel); }

}  // namespace simgpu::cuda
