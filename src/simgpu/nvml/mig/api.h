// Multi-instance GPU, virtual GPUs and performance monitoring: what is said of features that the
// simulated cards do not have. The rest of them is left to the stubs.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t mig_device,
                                                                        nvmlDevice_t* device);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned* count);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned index,
                                                               nvmlDevice_t* mig_device);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned* current,
                                                unsigned* pending);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned* is_mig);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceSetMigMode(nvmlDevice_t device, unsigned mode,
                                                nvmlReturn_t* activation);
SIMGPU_EXPORT nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t device,
                                                     nvmlGpmSupport_t* support);
