// Flags of contexts.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// At most one way of scheduling, and no unknown bit.
inline bool ValidContextFlags(unsigned flags) {
  const unsigned scheduling = flags & CU_CTX_SCHED_MASK;
  const bool one_way = scheduling == CU_CTX_SCHED_AUTO || scheduling == CU_CTX_SCHED_SPIN ||
                       scheduling == CU_CTX_SCHED_YIELD || scheduling == CU_CTX_SCHED_BLOCKING_SYNC;
  return one_way && (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) == 0;
}

}  // namespace simgpu::cuda
