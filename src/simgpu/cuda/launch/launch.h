// Launching kernels: every way to ask for it becomes one Launch.
#pragma once

#include <cstdint>
#include <vector>

#include "simgpu/cuda/graph/node_params.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {

class Function;

struct LaunchShape {
  unsigned grid_x = 1;
  unsigned grid_y = 1;
  unsigned grid_z = 1;
  unsigned block_x = 1;
  unsigned block_y = 1;
  unsigned block_z = 1;
  unsigned shared_bytes = 0;
};

struct Launch {
  CUfunction function = nullptr;
  LaunchShape shape;
  void** arguments = nullptr;
  void** extra = nullptr;
  const CUlaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

// Runs it in a stream, or captures it. The error is the launch function's.
CUresult LaunchInStream(const Launch& launch, CUstream stream, DefaultStream mode);

// The node that a launch is in a graph.
CUresult KernelNodeOf(const Launch& launch, KernelParams* node);

// The first of the arguments, 64 bits of it, of a kernel that it matters to; else 0.
uint64_t FirstArgument(const Function& function, void** arguments, void** extra);

// Brings the kernel's code onto its card, if it is not there.
CUresult LoadCode(const KernelParams& node);

// Checks a kernel node's parameters as a launch is checked, and finds the time it takes on the
// multiprocessors of `context`; nullptr: of the context the node names.
CUresult PlanKernel(const KernelParams& node, const Context* context, uint64_t* duration_ns);

}  // namespace simgpu::cuda
