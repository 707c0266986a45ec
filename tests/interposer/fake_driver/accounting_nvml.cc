// NVML of one card with accounting, which the simulated driver has not: it kept the processes that
// FAKE_ACCOUNTED_PIDS names, living or not.
#include <stdlib.h>

#include "abi/driver/nvml_types.h"

extern "C" {

nvmlReturn_t nvmlInit_v2() { return NVML_SUCCESS; }

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char*, nvmlDevice_t* device) {
  *device = reinterpret_cast<nvmlDevice_t>(1UL);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t, unsigned int* index) {
  *index = 0;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t, unsigned int* count, unsigned int* pids) {
  const unsigned int room = *count;
  *count = 0;
  char* rest = getenv("FAKE_ACCOUNTED_PIDS");
  for (unsigned long pid = strtoul(rest, &rest, 10); pid != 0; pid = strtoul(rest, &rest, 10)) {
    if (*count < room) pids[*count] = static_cast<unsigned int>(pid);
    ++*count;
  }
  return *count > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t, unsigned int pid,
                                          nvmlAccountingStats_t* stats) {
  *stats = {};
  stats->time = pid;
  return NVML_SUCCESS;
}
}
