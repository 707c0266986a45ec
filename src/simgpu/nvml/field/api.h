// Many facts by number in one call.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

SIMGPU_EXPORT nvmlReturn_t nvmlDeviceClearFieldValues(nvmlDevice_t device, int count,
                                                      nvmlFieldValue_t* values);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count,
                                                    nvmlFieldValue_t* values);
