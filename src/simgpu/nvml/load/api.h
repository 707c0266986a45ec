// What a card is doing: use of its engines, clocks, power, temperature.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

// utilization.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetDynamicPstatesInfo(nvmlDevice_t device,
                                                           nvmlGpuDynamicPstatesInfo_t* info);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device,
                                                       nvmlPcieUtilCounter_t counter,
                                                       unsigned* kib_per_s);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type,
                                                unsigned long long last_seen,
                                                nvmlValueType_t* value_type, unsigned* count,
                                                nvmlSample_t* samples);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device,
                                                         nvmlUtilization_t* utilization);

// media.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned* percent,
                                                           unsigned* period_us);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetEncoderCapacity(nvmlDevice_t device, nvmlEncoderType_t type,
                                                        unsigned* percent);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetEncoderSessions(nvmlDevice_t device, unsigned* count,
                                                        void* sessions);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetEncoderStats(nvmlDevice_t device, unsigned* sessions,
                                                     unsigned* frames_per_s, unsigned* latency_us);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned* percent,
                                                           unsigned* period_us);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetFBCSessions(nvmlDevice_t device, unsigned* count,
                                                    void* sessions);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetJpgUtilization(nvmlDevice_t device, unsigned* percent,
                                                       unsigned* period_us);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetOfaUtilization(nvmlDevice_t device, unsigned* percent,
                                                       unsigned* period_us);

// clocks.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetAdaptiveClockInfoStatus(nvmlDevice_t device,
                                                                unsigned* status);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                                          unsigned* mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type,
                                              nvmlClockId_t id, unsigned* mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                                  unsigned* mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device,
                                                                 nvmlClockType_t type,
                                                                 unsigned* mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                                     unsigned* mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMaxCustomerBoostClock(nvmlDevice_t device,
                                                              nvmlClockType_t type, unsigned* mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMinMaxClockOfPState(nvmlDevice_t device,
                                                            nvmlClockType_t type,
                                                            nvmlPstates_t state, unsigned* min_mhz,
                                                            unsigned* max_mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device,
                                                                unsigned memory_mhz,
                                                                unsigned* count, unsigned* mhz);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned* count,
                                                              unsigned* mhz);

// states.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetCurrentClockFreqs(nvmlDevice_t device,
                                                          nvmlDeviceCurrentClockFreqs_t* text);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device,
                                                                  unsigned long long* reasons);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                                     unsigned long long* reasons);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPerformanceModes(nvmlDevice_t device,
                                                         nvmlDevicePerfModes_t* text);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t* state);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t* state);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device,
                                                                    unsigned long long* reasons);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                                                       unsigned long long* reasons);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetSupportedPerformanceStates(nvmlDevice_t device,
                                                                   nvmlPstates_t* states,
                                                                   unsigned bytes);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetViolationStatus(nvmlDevice_t device,
                                                        nvmlPerfPolicyType_t policy,
                                                        nvmlViolationTime_t* time);

// power.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device,
                                                           unsigned* milliwatts);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device,
                                                                    unsigned* milliwatts);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device,
                                                             unsigned* milliwatts);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device,
                                                                        unsigned* min_milliwatts,
                                                                        unsigned* max_milliwatts);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t device,
                                                            nvmlEnableState_t* mode);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPowerSource(nvmlDevice_t device, nvmlPowerSource_t* source);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned* milliwatts);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device,
                                                               unsigned long long* millijoules);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device,
                                                             unsigned milliwatts);

// thermal.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMarginTemperature(nvmlDevice_t device,
                                                          nvmlMarginTemperature_t* margin);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned* fans);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device,
                                                    nvmlTemperatureSensors_t sensor,
                                                    unsigned* celsius);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device,
                                                             nvmlTemperatureThresholds_t threshold,
                                                             unsigned* celsius);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device,
                                                     nvmlTemperature_t* temperature);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetThermalSettings(nvmlDevice_t device, unsigned sensor,
                                                        nvmlGpuThermalSettings_t* settings);
