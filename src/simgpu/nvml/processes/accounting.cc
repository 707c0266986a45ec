// Accounting, which keeps figures of processes that have ended, is off and stays off.
#include "simgpu/nvml/device/settings.h"
#include "simgpu/nvml/processes/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::Change;
using simgpu::nvml::CheckDevice;
using simgpu::nvml::GiveList;
using simgpu::nvml::Tell;

nvmlReturn_t nvmlDeviceGetAccountingMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return Tell(device, mode, [](const Card&) { return NVML_FEATURE_DISABLED; });
}

nvmlReturn_t nvmlDeviceSetAccountingMode(nvmlDevice_t device, nvmlEnableState_t mode) {
  return Change(device, mode == NVML_FEATURE_DISABLED);
}

nvmlReturn_t nvmlDeviceGetAccountingBufferSize(nvmlDevice_t device, unsigned* size) {
  return Tell(device, size, [](const Card&) { return 0; });
}

nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t device, unsigned* count, unsigned* pids) {
  SIMGPU_TRY(CheckDevice(device));
  return GiveList({}, count, pids);
}

nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t device, unsigned,
                                          nvmlAccountingStats_t* stats) {
  SIMGPU_TRY(CheckDevice(device));
  SIMGPU_REQUIRE(stats != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceClearAccountingPids(nvmlDevice_t device) { return Change(device, true); }
