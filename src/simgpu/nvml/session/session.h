// This process's use of NVML: whether it is initialised, the world it looks at, and the handles it
// gives out. NVML only looks: it never becomes a participant of the world. Unlike CUDA, NVML goes
// on working in a forked child, as the real one does; the child attaches for itself.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/world/world.h"

namespace simgpu::nvml {

// A card of the world, as a query sees it. Valid for the duration of one call.
struct Card {
  world::World* world = nullptr;
  int index = -1;

  const world::CardSpec& spec() const { return world->card(index); }
};

// NVML_SUCCESS and the world between nvmlInit and the last nvmlShutdown, else
// NVML_ERROR_UNINITIALIZED.
nvmlReturn_t Ready(world::World** world);

// The card behind a handle, once it does not hang (hang.h); NVML_ERROR_INVALID_ARGUMENT for what is
// none.
nvmlReturn_t CardOf(nvmlDevice_t device, Card* card);

// Handles are the same in all calls and threads of a process; not checked here.
nvmlDevice_t HandleOf(int card_index);

}  // namespace simgpu::nvml
