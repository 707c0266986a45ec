// Performance states and why clocks are what they are: always P0, slowed down by nothing.
#include <cstdio>

#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::ClockRange;
using simgpu::nvml::ClocksOf;
using simgpu::nvml::LoadOf;
using simgpu::nvml::Tell;
using simgpu::nvml::TellVersioned;

namespace {

constexpr unsigned long long kAllReasons =
    nvmlClocksEventReasonGpuIdle | nvmlClocksEventReasonApplicationsClocksSetting |
    nvmlClocksEventReasonSwPowerCap | nvmlClocksThrottleReasonHwSlowdown |
    nvmlClocksEventReasonSyncBoost | nvmlClocksEventReasonSwThermalSlowdown |
    nvmlClocksThrottleReasonHwThermalSlowdown | nvmlClocksThrottleReasonHwPowerBrakeSlowdown |
    nvmlClocksEventReasonDisplayClockSetting;

struct BothClocks {
  ClockRange sm;
  ClockRange memory;
};

BothClocks BothClocksOf(const Card& card) {
  BothClocks clocks;
  static_cast<void>(ClocksOf(card, NVML_CLOCK_SM, &clocks.sm));
  static_cast<void>(ClocksOf(card, NVML_CLOCK_MEM, &clocks.memory));
  return clocks;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t* state) {
  return Tell(device, state, [](const Card&) { return NVML_PSTATE_0; });
}

nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t* state) {
  return nvmlDeviceGetPerformanceState(device, state);
}

// Room is given in bytes; what is left of it is filled with "unknown".
nvmlReturn_t nvmlDeviceGetSupportedPerformanceStates(nvmlDevice_t device, nvmlPstates_t* states,
                                                     unsigned bytes) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(states != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(bytes >= sizeof(*states), NVML_ERROR_INSUFFICIENT_SIZE);
  std::fill_n(states, bytes / sizeof(*states), NVML_PSTATE_UNKNOWN);
  states[0] = NVML_PSTATE_0;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPerformanceModes(nvmlDevice_t device, nvmlDevicePerfModes_t* text) {
  return TellVersioned(
      device, text, nvmlDevicePerfModes_v1, [](const Card& card, nvmlDevicePerfModes_t& out) {
        const BothClocks clocks = BothClocksOf(card);
        std::snprintf(out.str, sizeof(out.str),
                      "perf=0, nvclock=%u, nvclockmin=%u, nvclockmax=%u, nvclockeditable=0, "
                      "memclock=%u, memclockmin=%u, memclockmax=%u, memclockeditable=0",
                      clocks.sm.now, clocks.sm.lowest, clocks.sm.highest, clocks.memory.now,
                      clocks.memory.lowest, clocks.memory.highest);
      });
}

nvmlReturn_t nvmlDeviceGetCurrentClockFreqs(nvmlDevice_t device,
                                            nvmlDeviceCurrentClockFreqs_t* text) {
  return TellVersioned(device, text, nvmlDeviceCurrentClockFreqs_v1,
                       [](const Card& card, nvmlDeviceCurrentClockFreqs_t& out) {
                         const BothClocks clocks = BothClocksOf(card);
                         std::snprintf(out.str, sizeof(out.str), "nvclock=%u, memclock=%u",
                                       clocks.sm.now, clocks.memory.now);
                       });
}

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device,
                                                    unsigned long long* reasons) {
  return Tell(device, reasons, [](const Card& card) {
    return LoadOf(card).compute > 0 ? nvmlClocksEventReasonNone : nvmlClocksEventReasonGpuIdle;
  });
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long* reasons) {
  return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device,
                                                      unsigned long long* reasons) {
  return Tell(device, reasons, [](const Card&) { return kAllReasons; });
}

nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                                         unsigned long long* reasons) {
  return nvmlDeviceGetSupportedClocksEventReasons(device, reasons);
}

nvmlReturn_t nvmlDeviceGetViolationStatus(nvmlDevice_t device, nvmlPerfPolicyType_t policy,
                                          nvmlViolationTime_t* time) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(policy >= 0 && policy < NVML_PERF_POLICY_COUNT, NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, time, [](const Card&) {
    return nvmlViolationTime_t{.referenceTime = simgpu::nvml::NowUs(), .violationTime = 0};
  });
}
