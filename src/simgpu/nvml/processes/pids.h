// Processes by the numbers they have in the caller's pid namespace.
#pragma once

#include "simgpu/world/process.h"
#include "simgpu/world/scenario.h"

namespace simgpu::nvml {

// The pid by which the caller can see a participant; 0 when it cannot, as for a process of another
// container. A host sees those of its containers.
unsigned VisiblePid(const world::ProcessUse& process);

// The pid by which samples of utilisation name it. The host's number of another namespace's
// process cannot be found out from inside a container; it gets one there that no process has.
unsigned SampledPid(const world::ProcessUse& process, world::UtilizationPids pids);

}  // namespace simgpu::nvml
