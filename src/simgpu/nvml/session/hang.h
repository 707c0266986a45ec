// Cards that hang, for who wants to see what others make of it: while a file `hang<N>` lies in the
// world's directory, no question about card N comes back.
#pragma once

#include "simgpu/world/world.h"

namespace simgpu::nvml {

void WaitWhileHanging(const world::World& world, int card_index);

}  // namespace simgpu::nvml
