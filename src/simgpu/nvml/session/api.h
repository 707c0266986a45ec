// Beginning and end of a program's use of NVML.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

SIMGPU_EXPORT nvmlReturn_t nvmlInit();
SIMGPU_EXPORT nvmlReturn_t nvmlInit_v2();
SIMGPU_EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned flags);
SIMGPU_EXPORT nvmlReturn_t nvmlShutdown();
