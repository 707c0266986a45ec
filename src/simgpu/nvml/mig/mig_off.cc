#include "simgpu/nvml/device/settings.h"
#include "simgpu/nvml/mig/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::Change;
using simgpu::nvml::CheckDevice;
using simgpu::nvml::Tell;
using simgpu::nvml::TellCurrentAndPending;
using simgpu::nvml::TellVersioned;

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned* current, unsigned* pending) {
  return TellCurrentAndPending(device, current, pending,
                               [](const Card&) { return NVML_DEVICE_MIG_DISABLE; });
}

nvmlReturn_t nvmlDeviceSetMigMode(nvmlDevice_t device, unsigned mode, nvmlReturn_t* activation) {
  SIMGPU_TRY(CheckDevice(device));
  SIMGPU_REQUIRE(mode <= NVML_DEVICE_MIG_ENABLE && activation != nullptr,
                 NVML_ERROR_INVALID_ARGUMENT);
  *activation = Change(device, mode == NVML_DEVICE_MIG_DISABLE);
  return *activation;
}

nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned* count) {
  return Tell(device, count, [](const Card&) { return 0; });
}

nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned* is_mig) {
  return Tell(device, is_mig, [](const Card&) { return 0; });
}

nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned,
                                                 nvmlDevice_t* mig_device) {
  SIMGPU_TRY(CheckDevice(device));
  SIMGPU_REQUIRE(mig_device != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  return NVML_ERROR_NOT_FOUND;
}

// No handle is of a MIG device.
nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t mig_device, nvmlDevice_t*) {
  SIMGPU_TRY(CheckDevice(mig_device));
  return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvmlGpmSupport_t* support) {
  return TellVersioned(device, support, NVML_GPM_SUPPORT_VERSION,
                       [](const Card&, nvmlGpmSupport_t& out) { out.isSupportedDevice = 0; });
}
