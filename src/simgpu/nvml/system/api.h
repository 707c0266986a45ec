// The machine as a whole: versions, error texts, process names, and what this machine has none of.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

SIMGPU_EXPORT const char* nvmlErrorString(nvmlReturn_t result);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_t* branch,
                                                     unsigned length);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned length);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned length);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetProcessName(unsigned pid, char* name, unsigned length);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned cpu, unsigned* count,
                                                       nvmlDevice_t* devices);
SIMGPU_EXPORT nvmlReturn_t nvmlSystemGetHicVersion(unsigned* count, void* entries);

SIMGPU_EXPORT nvmlReturn_t nvmlGetBlacklistDeviceCount(unsigned* count);
SIMGPU_EXPORT nvmlReturn_t nvmlGetBlacklistDeviceInfoByIndex(unsigned index,
                                                             nvmlExcludedDeviceInfo_t* info);
SIMGPU_EXPORT nvmlReturn_t nvmlGetExcludedDeviceCount(unsigned* count);
SIMGPU_EXPORT nvmlReturn_t nvmlGetExcludedDeviceInfoByIndex(unsigned index,
                                                            nvmlExcludedDeviceInfo_t* info);

SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetCount(unsigned* count);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetDevices(nvmlUnit_t unit, unsigned* count,
                                              nvmlDevice_t* devices);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetFanSpeedInfo(nvmlUnit_t unit, void* speeds);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetHandleByIndex(unsigned index, nvmlUnit_t* unit);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetLedState(nvmlUnit_t unit, void* state);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetPsuInfo(nvmlUnit_t unit, void* psu);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetTemperature(nvmlUnit_t unit, unsigned type, unsigned* temp);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitGetUnitInfo(nvmlUnit_t unit, void* info);
SIMGPU_EXPORT nvmlReturn_t nvmlUnitSetLedState(nvmlUnit_t unit, int color);
