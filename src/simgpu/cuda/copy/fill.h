// A fill (cuMemset*) as the driver is asked for it, checked and resolved. As with copies, the
// struct of the graph node stands for all functions.
#pragma once

#include "simgpu/cuda/copy/plan.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/op.h"

namespace simgpu::cuda {

struct FillPlan {
  Endpoint to;
  BoxExtent extent;  // width in bytes
  uint32_t value = 0;
  unsigned element_bytes = 1;
};

// `width` of the struct counts elements. CUDA_ERROR_INVALID_VALUE for memory or sizes that do not
// fit; an empty fill is legal.
CUresult PlanFill(const CUDA_MEMSET_NODE_PARAMS_v2& fill, FillPlan* plan);

// As CommitTarget for copies. Large fills with zero give memory back instead and need none.
CUresult CommitTarget(const FillPlan& plan);

Op OpOf(const FillPlan& plan);

}  // namespace simgpu::cuda
