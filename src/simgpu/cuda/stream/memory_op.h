// Waits for, and writes of, single words of memory in stream order.
#pragma once

#include <vector>

#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/op.h"

namespace simgpu::cuda {

// Checks a batch as cuStreamBatchMemOp does: CUDA_ERROR_INVALID_VALUE for unknown kinds and flags,
// and for addresses that are not aligned memory of the driver.
CUresult CheckMemoryOps(const std::vector<CUstreamBatchMemOpParams>& ops);

// The work a checked batch is in a stream; its members happen one after the other.
std::vector<Op> OpsOf(const std::vector<CUstreamBatchMemOpParams>& ops);

}  // namespace simgpu::cuda
