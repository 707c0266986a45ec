// Condition handles of graphs. Their value is set by kernels on a real card; simulated kernels set
// nothing, so a condition always has the value its launch begins with.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

CUgraphConditionalHandle NewCondition(unsigned value_at_launch);
bool IsCondition(CUgraphConditionalHandle handle);
unsigned ValueAtLaunch(CUgraphConditionalHandle handle);

}  // namespace simgpu::cuda
