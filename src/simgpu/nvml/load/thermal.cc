// Temperatures. The cards are cooled by the air of their rack: they have no fans of their own.
#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::kGpuMaxCelsius;
using simgpu::nvml::kMemoryMaxCelsius;
using simgpu::nvml::kShutdownCelsius;
using simgpu::nvml::kSlowdownCelsius;
using simgpu::nvml::Tell;
using simgpu::nvml::TellVersioned;
using simgpu::nvml::TemperatureOf;

namespace {

nvmlReturn_t ThresholdOf(nvmlTemperatureThresholds_t threshold, unsigned* celsius) {
  switch (threshold) {
    case NVML_TEMPERATURE_THRESHOLD_SHUTDOWN:
      *celsius = kShutdownCelsius;
      return NVML_SUCCESS;
    case NVML_TEMPERATURE_THRESHOLD_SLOWDOWN:
      *celsius = kSlowdownCelsius;
      return NVML_SUCCESS;
    case NVML_TEMPERATURE_THRESHOLD_MEM_MAX:
      *celsius = kMemoryMaxCelsius;
      return NVML_SUCCESS;
    case NVML_TEMPERATURE_THRESHOLD_GPU_MAX:
      *celsius = kGpuMaxCelsius;
      return NVML_SUCCESS;
    default:
      return threshold >= 0 && threshold < NVML_TEMPERATURE_THRESHOLD_COUNT
                 ? NVML_ERROR_NOT_SUPPORTED
                 : NVML_ERROR_INVALID_ARGUMENT;
  }
}

}  // namespace

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned* celsius) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(sensor == NVML_TEMPERATURE_GPU, NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, celsius, &TemperatureOf);
}

nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t* temperature) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(temperature != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(temperature->version == NVML_STRUCT_VERSION(Temperature, 1),
                 NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  unsigned celsius = 0;
  SIMGPU_TRY(nvmlDeviceGetTemperature(device, temperature->sensorType, &celsius));
  temperature->temperature = static_cast<int>(celsius);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device,
                                               nvmlTemperatureThresholds_t threshold,
                                               unsigned* celsius) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(celsius != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  return ThresholdOf(threshold, celsius);
}

nvmlReturn_t nvmlDeviceGetMarginTemperature(nvmlDevice_t device, nvmlMarginTemperature_t* margin) {
  return TellVersioned(
      device, margin, nvmlMarginTemperature_v1, [](const Card& card, nvmlMarginTemperature_t& out) {
        out.marginTemperature =
            static_cast<int>(kSlowdownCelsius) - static_cast<int>(TemperatureOf(card));
      });
}

nvmlReturn_t nvmlDeviceGetThermalSettings(nvmlDevice_t device, unsigned sensor,
                                          nvmlGpuThermalSettings_t* settings) {
  constexpr unsigned kAllSensors = NVML_THERMAL_TARGET_ALL;
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(sensor == 0 || sensor == kAllSensors, NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, settings, [](const Card& card) {
    nvmlGpuThermalSettings_t found{};
    found.count = 1;
    found.sensor[0] = {.controller = NVML_THERMAL_CONTROLLER_GPU_INTERNAL,
                       .defaultMinTemp = 0,
                       .defaultMaxTemp = static_cast<int>(kShutdownCelsius),
                       .currentTemp = static_cast<int>(TemperatureOf(card)),
                       .target = NVML_THERMAL_TARGET_GPU};
    return found;
  });
}

nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned* fans) {
  return Tell(device, fans, [](const Card&) { return 0; });
}
