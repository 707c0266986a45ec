// What NVML passes around, declared in our own words: the parts a tenant's tools and the daemons
// use. Left out: virtual GPUs, confidential computing, power smoothing. Names, values and layouts
// are those of CUDA 13.0; tests/driver_header compares each with NVIDIA's header. Types only: no
// function is declared, and C may include it.
#pragma once

#include "abi/driver/nvml_device.h"
#include "abi/driver/nvml_event.h"
#include "abi/driver/nvml_field.h"
#include "abi/driver/nvml_gpm.h"
#include "abi/driver/nvml_link.h"
#include "abi/driver/nvml_memory.h"
#include "abi/driver/nvml_mig.h"
#include "abi/driver/nvml_performance.h"
#include "abi/driver/nvml_process.h"
#include "abi/driver/nvml_result.h"
