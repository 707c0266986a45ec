// Which cards this process sees, and under which ordinal: CUDA_VISIBLE_DEVICES, read once.
#pragma once

#include <string_view>
#include <vector>

#include "simgpu/cuda/result.h"
#include "simgpu/world/scenario.h"

namespace simgpu::cuda {

// World indices of the visible cards, by ordinal. Attaches to the world.
const std::vector<int>& VisibleCards();

// The world index behind a CUdevice: CUDA_ERROR_INVALID_DEVICE for one that is not visible.
CUresult CardOf(CUdevice device, int* card);

// The ordinal of a card; CU_DEVICE_INVALID when the process does not see it.
CUdevice DeviceOf(int card);

const world::CardSpec& SpecOf(int card);

// What CUDA_VISIBLE_DEVICES means, as the driver reads it: a list of indices, or of UUIDs or
// beginnings of them that fit one card only. The list ends before the first entry that names no
// card; a card named twice makes it empty.
std::vector<int> ParseVisibleDevices(std::string_view text,
                                     const std::vector<world::CardSpec>& cards);

}  // namespace simgpu::cuda
