// Who is on a card: lists, shares of its time, accounting.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

// list.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device,
                                                                unsigned* count,
                                                                nvmlProcessInfo_v1_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device,
                                                                   unsigned* count,
                                                                   nvmlProcessInfo_v2_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device,
                                                                   unsigned* count,
                                                                   nvmlProcessInfo_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device,
                                                                 unsigned* count,
                                                                 nvmlProcessInfo_v1_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device,
                                                                    unsigned* count,
                                                                    nvmlProcessInfo_v2_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device,
                                                                    unsigned* count,
                                                                    nvmlProcessInfo_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t device,
                                                                   unsigned* count,
                                                                   nvmlProcessInfo_v1_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v2(nvmlDevice_t device,
                                                                      unsigned* count,
                                                                      nvmlProcessInfo_v2_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device,
                                                                      unsigned* count,
                                                                      nvmlProcessInfo_t* infos);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device,
                                                                 nvmlProcessDetailList_t* list);

// utilization.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device,
                                                           nvmlProcessUtilizationSample_t* samples,
                                                           unsigned* count,
                                                           unsigned long long last_seen);
SIMGPU_EXPORT nvmlReturn_t
nvmlDeviceGetProcessesUtilizationInfo(nvmlDevice_t device, nvmlProcessesUtilizationInfo_t* info);

// accounting.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceClearAccountingPids(nvmlDevice_t device);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetAccountingBufferSize(nvmlDevice_t device, unsigned* size);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetAccountingMode(nvmlDevice_t device,
                                                       nvmlEnableState_t* mode);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t device, unsigned* count,
                                                       unsigned* pids);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t device, unsigned pid,
                                                        nvmlAccountingStats_t* stats);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceSetAccountingMode(nvmlDevice_t device, nvmlEnableState_t mode);
