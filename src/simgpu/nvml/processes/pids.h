// Processes by the numbers they have in the caller's pid namespace.
#pragma once

#include "simgpu/world/process.h"

namespace simgpu::nvml {

// The pid by which the caller can see a participant; 0 when it cannot, as for a process of another
// container. A host sees those of its containers.
unsigned VisiblePid(const world::ProcessUse& process);

}  // namespace simgpu::nvml
