// Waiting for what happens to cards.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device,
                                                            unsigned long long* types);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types,
                                                    nvmlEventSet_t set);
SIMGPU_EXPORT nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t* set);
SIMGPU_EXPORT nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t set);
SIMGPU_EXPORT nvmlReturn_t nvmlEventSetWait(nvmlEventSet_t set, nvmlEventData_t* data,
                                            unsigned timeout_ms);
SIMGPU_EXPORT nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t* data,
                                               unsigned timeout_ms);
