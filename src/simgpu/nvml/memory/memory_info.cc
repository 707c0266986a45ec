#include <bit>

#include "simgpu/nvml/memory/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::Tell;
using simgpu::nvml::TellVersioned;
using simgpu::world::kMiB;
using simgpu::world::MemoryUse;

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return Tell(device, memory, [](const Card& card) {
    const MemoryUse use = card.world->memory().Use(card.index);
    return nvmlMemory_t{.total = use.total, .free = use.free, .used = use.used};
  });
}

// The simulated driver keeps nothing for itself: all of a card can be had, and `used` is what
// programs hold.
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  return TellVersioned(device, memory, nvmlMemory_v2, [](const Card& card, nvmlMemory_v2_t& out) {
    const MemoryUse use = card.world->memory().Use(card.index);
    out.total = use.total;
    out.reserved = 0;
    out.free = use.free;
    out.used = use.used;
  });
}

// A window on the whole memory, of which the driver itself uses a little.
nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t* bar1) {
  return Tell(device, bar1, [](const Card& card) {
    constexpr unsigned long long kUsed = kMiB;
    const unsigned long long total = std::bit_ceil(card.spec().memory_bytes);
    return nvmlBAR1Memory_t{.bar1Total = total, .bar1Free = total - kUsed, .bar1Used = kUsed};
  });
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned* bits) {
  return Tell(device, bits, [](const Card& card) { return card.spec().memory_bus_bits; });
}
