// Device attributes: what the simulated cards answer. Sizes and counts that the scenario does not
// name are those of an A100.
#pragma once

#include <optional>

#include "simgpu/cuda/result.h"
#include "simgpu/world/scenario.h"

namespace simgpu::cuda {

// No value: no such attribute.
std::optional<int> DeviceAttribute(const world::CardSpec& spec, CUdevice_attribute attribute);

}  // namespace simgpu::cuda
