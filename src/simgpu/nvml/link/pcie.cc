#include <algorithm>

#include "simgpu/nvml/link/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::Tell;

namespace {

constexpr unsigned kGenerations = 6;

// Megabits per second of one lane.
unsigned LaneMbps(const Card& card) {
  constexpr unsigned kByGeneration[kGenerations] = {2500, 5000, 8000, 16000, 32000, 64000};
  return kByGeneration[std::clamp(card.spec().pcie_generation, 1U, kGenerations) - 1];
}

nvmlReturn_t TellGeneration(nvmlDevice_t device, unsigned* gen) {
  return Tell(device, gen, [](const Card& card) { return card.spec().pcie_generation; });
}

nvmlReturn_t TellLanes(nvmlDevice_t device, unsigned* lanes) {
  return Tell(device, lanes, [](const Card& card) { return card.spec().pcie_lanes; });
}

}  // namespace

nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned* gen) {
  return TellGeneration(device, gen);
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned* gen) {
  return TellGeneration(device, gen);
}

nvmlReturn_t nvmlDeviceGetGpuMaxPcieLinkGeneration(nvmlDevice_t device, unsigned* gen) {
  return TellGeneration(device, gen);
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned* lanes) {
  return TellLanes(device, lanes);
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned* lanes) {
  return TellLanes(device, lanes);
}

// NVML_PCIE_LINK_MAX_SPEED_*, which are numbered as the generations are.
nvmlReturn_t nvmlDeviceGetPcieLinkMaxSpeed(nvmlDevice_t device, unsigned* speed) {
  return Tell(device, speed, [](const Card& card) {
    return std::clamp(card.spec().pcie_generation, 1U, kGenerations);
  });
}

nvmlReturn_t nvmlDeviceGetPcieSpeed(nvmlDevice_t device, unsigned* mbps) {
  return Tell(device, mbps, &LaneMbps);
}

nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned* count) {
  return Tell(device, count, [](const Card&) { return 0; });
}
