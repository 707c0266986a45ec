// NVML, loaded when it is needed: the one that any program would get, so that under an interposer
// the user sees what a program sees; else the simulated one that was installed beside this program.
#pragma once

#include <string>

#include "abi/driver/nvml_types.h"

namespace simgpu::smi {

// Name and what follows the device in its parameters; every one returns nvmlReturn_t.
#define SIMGPU_SMI_DEVICE_FUNCTIONS(F)                                                             \
  F(nvmlDeviceGetAccountingBufferSize, unsigned*)                                                  \
  F(nvmlDeviceGetAccountingMode, nvmlEnableState_t*)                                               \
  F(nvmlDeviceGetApplicationsClock, nvmlClockType_t, unsigned*)                                    \
  F(nvmlDeviceGetArchitecture, nvmlDeviceArchitecture_t*)                                          \
  F(nvmlDeviceGetBAR1MemoryInfo, nvmlBAR1Memory_t*)                                                \
  F(nvmlDeviceGetBrand, nvmlBrandType_t*)                                                          \
  F(nvmlDeviceGetClockInfo, nvmlClockType_t, unsigned*)                                            \
  F(nvmlDeviceGetComputeMode, nvmlComputeMode_t*)                                                  \
  F(nvmlDeviceGetComputeRunningProcesses_v3, unsigned*, nvmlProcessInfo_t*)                        \
  F(nvmlDeviceGetCpuAffinity, unsigned, unsigned long*)                                            \
  F(nvmlDeviceGetCudaComputeCapability, int*, int*)                                                \
  F(nvmlDeviceGetCurrentClocksThrottleReasons, unsigned long long*)                                \
  F(nvmlDeviceGetCurrPcieLinkGeneration, unsigned*)                                                \
  F(nvmlDeviceGetCurrPcieLinkWidth, unsigned*)                                                     \
  F(nvmlDeviceGetDecoderUtilization, unsigned*, unsigned*)                                         \
  F(nvmlDeviceGetDefaultApplicationsClock, nvmlClockType_t, unsigned*)                             \
  F(nvmlDeviceGetDisplayActive, nvmlEnableState_t*)                                                \
  F(nvmlDeviceGetDisplayMode, nvmlEnableState_t*)                                                  \
  F(nvmlDeviceGetEccMode, nvmlEnableState_t*, nvmlEnableState_t*)                                  \
  F(nvmlDeviceGetEncoderStats, unsigned*, unsigned*, unsigned*)                                    \
  F(nvmlDeviceGetEncoderUtilization, unsigned*, unsigned*)                                         \
  F(nvmlDeviceGetEnforcedPowerLimit, unsigned*)                                                    \
  F(nvmlDeviceGetFanSpeed, unsigned*)                                                              \
  F(nvmlDeviceGetFieldValues, int, nvmlFieldValue_t*)                                              \
  F(nvmlDeviceGetIndex, unsigned*)                                                                 \
  F(nvmlDeviceGetJpgUtilization, unsigned*, unsigned*)                                             \
  F(nvmlDeviceGetMaxClockInfo, nvmlClockType_t, unsigned*)                                         \
  F(nvmlDeviceGetMaxPcieLinkGeneration, unsigned*)                                                 \
  F(nvmlDeviceGetMaxPcieLinkWidth, unsigned*)                                                      \
  F(nvmlDeviceGetMemoryAffinity, unsigned, unsigned long*, nvmlAffinityScope_t)                    \
  F(nvmlDeviceGetMemoryInfo_v2, nvmlMemory_v2_t*)                                                  \
  F(nvmlDeviceGetMigMode, unsigned*, unsigned*)                                                    \
  F(nvmlDeviceGetMinorNumber, unsigned*)                                                           \
  F(nvmlDeviceGetName, char*, unsigned)                                                            \
  F(nvmlDeviceGetNvLinkRemotePciInfo_v2, unsigned, nvmlPciInfo_t*)                                 \
  F(nvmlDeviceGetOfaUtilization, unsigned*, unsigned*)                                             \
  F(nvmlDeviceGetPcieReplayCounter, unsigned*)                                                     \
  F(nvmlDeviceGetPcieThroughput, nvmlPcieUtilCounter_t, unsigned*)                                 \
  F(nvmlDeviceGetPciInfo_v3, nvmlPciInfo_t*)                                                       \
  F(nvmlDeviceGetPerformanceState, nvmlPstates_t*)                                                 \
  F(nvmlDeviceGetPersistenceMode, nvmlEnableState_t*)                                              \
  F(nvmlDeviceGetPowerManagementDefaultLimit, unsigned*)                                           \
  F(nvmlDeviceGetPowerManagementLimit, unsigned*)                                                  \
  F(nvmlDeviceGetPowerManagementLimitConstraints, unsigned*, unsigned*)                            \
  F(nvmlDeviceGetPowerManagementMode, nvmlEnableState_t*)                                          \
  F(nvmlDeviceGetPowerUsage, unsigned*)                                                            \
  F(nvmlDeviceGetProcessUtilization, nvmlProcessUtilizationSample_t*, unsigned*,                   \
    unsigned long long)                                                                            \
  F(nvmlDeviceGetSerial, char*, unsigned)                                                          \
  F(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t, unsigned*)                                 \
  F(nvmlDeviceGetTopologyCommonAncestor, nvmlDevice_t, nvmlGpuTopologyLevel_t*)                    \
  F(nvmlDeviceGetTotalEccErrors, nvmlMemoryErrorType_t, nvmlEccCounterType_t, unsigned long long*) \
  F(nvmlDeviceGetUtilizationRates, nvmlUtilization_t*)                                             \
  F(nvmlDeviceGetUUID, char*, unsigned)                                                            \
  F(nvmlDeviceGetVbiosVersion, char*, unsigned)

// Those that are about no one device, with all their parameters.
#define SIMGPU_SMI_SYSTEM_FUNCTIONS(F)                      \
  F(nvmlDeviceGetCount_v2, unsigned*)                       \
  F(nvmlDeviceGetHandleByIndex_v2, unsigned, nvmlDevice_t*) \
  F(nvmlInit_v2)                                            \
  F(nvmlShutdown)                                           \
  F(nvmlSystemGetCudaDriverVersion_v2, int*)                \
  F(nvmlSystemGetDriverVersion, char*, unsigned)            \
  F(nvmlSystemGetNVMLVersion, char*, unsigned)              \
  F(nvmlSystemGetProcessName, unsigned, char*, unsigned)

// Null: the library has no such function.
struct Nvml {
#define SIMGPU_SMI_MEMBER(name, ...) nvmlReturn_t (*name)(__VA_ARGS__) = nullptr;
#define SIMGPU_SMI_DEVICE_MEMBER(name, ...) \
  nvmlReturn_t (*name)(nvmlDevice_t, __VA_ARGS__) = nullptr;
  SIMGPU_SMI_SYSTEM_FUNCTIONS(SIMGPU_SMI_MEMBER)
  SIMGPU_SMI_DEVICE_FUNCTIONS(SIMGPU_SMI_DEVICE_MEMBER)
#undef SIMGPU_SMI_MEMBER
#undef SIMGPU_SMI_DEVICE_MEMBER
  const char* (*nvmlErrorString)(nvmlReturn_t) = nullptr;
};

// False and `error`: no library, or one without nvmlInit_v2. The library stays loaded.
bool LoadNvml(Nvml* nvml, std::string* error);

}  // namespace simgpu::smi
