// A card's memory and the errors in it.
#pragma once

#include "abi/driver/nvml_types.h"
#include "simgpu/nvml/export.h"

SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t* bar1);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned* bits);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory);

// ecc.cc
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceClearEccErrorCounts(nvmlDevice_t device,
                                                         nvmlEccCounterType_t counter);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t device,
                                                       nvmlEnableState_t* mode);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device,
                                                          nvmlMemoryErrorType_t error,
                                                          nvmlEccCounterType_t counter,
                                                          nvmlEccErrorCounts_t* counts);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current,
                                                nvmlEnableState_t* pending);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device,
                                                           nvmlMemoryErrorType_t error,
                                                           nvmlEccCounterType_t counter,
                                                           nvmlMemoryLocation_t location,
                                                           unsigned long long* count);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned* correctable,
                                                     unsigned* uncorrectable, unsigned* pending,
                                                     unsigned* failed);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t device,
                                                     nvmlPageRetirementCause_t cause,
                                                     unsigned* count,
                                                     unsigned long long* addresses);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device,
                                                        nvmlPageRetirementCause_t cause,
                                                        unsigned* count,
                                                        unsigned long long* addresses,
                                                        unsigned long long* timestamps);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device,
                                                                  nvmlEnableState_t* pending);
SIMGPU_EXPORT nvmlReturn_t
nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device, nvmlRowRemapperHistogramValues_t* values);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device,
                                                       nvmlMemoryErrorType_t error,
                                                       nvmlEccCounterType_t counter,
                                                       unsigned long long* count);
SIMGPU_EXPORT nvmlReturn_t nvmlDeviceSetEccMode(nvmlDevice_t device, nvmlEnableState_t mode);
