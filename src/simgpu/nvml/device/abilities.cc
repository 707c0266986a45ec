// What kind of card it is and what it can do.
#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::Tell;
using simgpu::nvml::TellVersioned;
using simgpu::world::CardSpec;

namespace {

nvmlDeviceArchitecture_t ArchitectureOf(const CardSpec& spec) {
  switch (spec.compute_major) {
    case 3:
      return NVML_DEVICE_ARCH_KEPLER;
    case 5:
      return NVML_DEVICE_ARCH_MAXWELL;
    case 6:
      return NVML_DEVICE_ARCH_PASCAL;
    case 7:
      return spec.compute_minor >= 5 ? NVML_DEVICE_ARCH_TURING : NVML_DEVICE_ARCH_VOLTA;
    case 8:
      return spec.compute_minor >= 9 ? NVML_DEVICE_ARCH_ADA : NVML_DEVICE_ARCH_AMPERE;
    case 9:
      return NVML_DEVICE_ARCH_HOPPER;
    case 10:
    case 11:
    case 12:
      return NVML_DEVICE_ARCH_BLACKWELL;
    default:
      return NVML_DEVICE_ARCH_UNKNOWN;
  }
}

// FP32 lanes: 64 a multiprocessor on the cards for data centres (x.0) up to Ampere, 128 elsewhere.
unsigned CoresPerSm(const CardSpec& spec) {
  return spec.compute_major == 7 || (spec.compute_major == 8 && spec.compute_minor == 0) ||
                 (spec.compute_major == 6 && spec.compute_minor == 0)
             ? 64
             : 128;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  SIMGPU_TRY(Tell(device, major, [](const Card& card) { return card.spec().compute_major; }));
  return Tell(device, minor, [](const Card& card) { return card.spec().compute_minor; });
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device,
                                       nvmlDeviceArchitecture_t* architecture) {
  return Tell(device, architecture, [](const Card& card) { return ArchitectureOf(card.spec()); });
}

nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned* cores) {
  return Tell(device, cores,
              [](const Card& card) { return card.spec().sm_count * CoresPerSm(card.spec()); });
}

nvmlReturn_t nvmlDeviceGetBusType(nvmlDevice_t device, nvmlBusType_t* type) {
  return Tell(device, type, [](const Card&) { return NVML_BUS_TYPE_PCIE; });
}

nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t* display) {
  return Tell(device, display, [](const Card&) { return NVML_FEATURE_DISABLED; });
}

nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t* active) {
  return Tell(device, active, [](const Card&) { return NVML_FEATURE_DISABLED; });
}

nvmlReturn_t nvmlDeviceGetVirtualizationMode(nvmlDevice_t device,
                                             nvmlGpuVirtualizationMode_t* mode) {
  return Tell(device, mode, [](const Card&) { return NVML_GPU_VIRTUALIZATION_MODE_NONE; });
}

nvmlReturn_t nvmlDeviceGetCapabilities(nvmlDevice_t device,
                                       nvmlDeviceCapabilities_t* capabilities) {
  return TellVersioned(device, capabilities, nvmlDeviceCapabilities_v1,
                       [](const Card&, nvmlDeviceCapabilities_t& out) { out.capMask = 0; });
}

// Device memory is ordinary memory of the host here, but no program may count on it.
nvmlReturn_t nvmlDeviceGetAddressingMode(nvmlDevice_t device, nvmlDeviceAddressingMode_t* mode) {
  return TellVersioned(device, mode, nvmlDeviceAddressingMode_v1,
                       [](const Card&, nvmlDeviceAddressingMode_t& out) {
                         out.value = NVML_DEVICE_ADDRESSING_MODE_NONE;
                       });
}
