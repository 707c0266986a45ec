// Settings that have one value here. Asking for that value is granted to root; asking for another
// is answered as a card answers that lacks the feature; anyone else may not ask.
#include <unistd.h>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/device/settings.h"
#include "simgpu/nvml/session/answer.h"

namespace simgpu::nvml {

nvmlReturn_t Change(nvmlDevice_t device, bool to_what_it_is) {
  SIMGPU_TRY(CheckDevice(device));
  SIMGPU_REQUIRE(geteuid() == 0, NVML_ERROR_NO_PERMISSION);
  return to_what_it_is ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

}  // namespace simgpu::nvml

using simgpu::nvml::Card;
using simgpu::nvml::Change;
using simgpu::nvml::Tell;

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  return Tell(device, mode, [](const Card&) { return NVML_COMPUTEMODE_DEFAULT; });
}

nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device, nvmlComputeMode_t mode) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(mode >= 0 && mode < NVML_COMPUTEMODE_COUNT, NVML_ERROR_INVALID_ARGUMENT);
  return Change(device, mode == NVML_COMPUTEMODE_DEFAULT);
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return Tell(device, mode, [](const Card&) { return NVML_FEATURE_ENABLED; });
}

nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t mode) {
  return Change(device, mode == NVML_FEATURE_ENABLED);
}

nvmlReturn_t nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api,
                                         nvmlEnableState_t* restricted) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(api == NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS, NVML_ERROR_NOT_SUPPORTED);
  return Tell(device, restricted, [](const Card&) { return NVML_FEATURE_ENABLED; });
}

nvmlReturn_t nvmlDeviceSetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api,
                                         nvmlEnableState_t restricted) {
  return Change(device, api == NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS &&
                            restricted == NVML_FEATURE_ENABLED);
}
