#include "simgpu/nvml/device/settings.h"
#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::Tell;

namespace {

unsigned Limit(const Card& card) { return card.spec().power_limit_watts * 1000; }

}  // namespace

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned* milliwatts) {
  return Tell(device, milliwatts, &simgpu::nvml::PowerMilliwatts);
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device,
                                                 unsigned long long* millijoules) {
  return Tell(device, millijoules, &simgpu::nvml::EnergyMillijoules);
}

nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return Tell(device, mode, [](const Card&) { return NVML_FEATURE_ENABLED; });
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned* milliwatts) {
  return Tell(device, milliwatts, &Limit);
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned* milliwatts) {
  return Tell(device, milliwatts, &Limit);
}

nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned* milliwatts) {
  return Tell(device, milliwatts, &Limit);
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device,
                                                          unsigned* min_milliwatts,
                                                          unsigned* max_milliwatts) {
  constexpr unsigned kLowest = 4;  // a quarter of the limit
  SIMGPU_TRY(Tell(device, min_milliwatts, [](const Card& card) { return Limit(card) / kLowest; }));
  return Tell(device, max_milliwatts, &Limit);
}

nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device, unsigned milliwatts) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  return simgpu::nvml::Change(device, milliwatts == Limit(card));
}

nvmlReturn_t nvmlDeviceGetPowerSource(nvmlDevice_t device, nvmlPowerSource_t* source) {
  return Tell(device, source, [](const Card&) { return NVML_POWER_SOURCE_AC; });
}
