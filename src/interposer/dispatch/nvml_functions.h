// Signatures of NVML functions that the interposer calls besides the one it stands in front of. For
// REAL_NVML(f) only: a direct call would go to our own export. In the order of entry_points.def.
#pragma once

#include "abi/driver/nvml_types.h"

#pragma GCC visibility push(default)
extern "C" {

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count);
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device);
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index);
nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device,
                                             nvmlProcessUtilizationSample_t* samples,
                                             unsigned int* count, unsigned long long last_seen);
nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t mig_device,
                                                          nvmlDevice_t* device);

}  // extern "C"
#pragma GCC visibility pop
