// NVML with accounting and with a unit, which the simulated driver has not. It kept the processes
// that FAKE_ACCOUNTED_PIDS names, living or not. Cards are numbered from 1 as they are asked for by
// uuid; in the unit is one more, between the first and the second.
#include <stdlib.h>

#include "abi/driver/nvml_types.h"

extern "C" {

nvmlReturn_t nvmlInit_v2() { return NVML_SUCCESS; }

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char*, nvmlDevice_t* device) {
  static unsigned long cards = 0;
  *device = reinterpret_cast<nvmlDevice_t>(++cards);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  *index = static_cast<unsigned int>(reinterpret_cast<unsigned long>(device)) - 1;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  *device = reinterpret_cast<nvmlDevice_t>(index + 1UL);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlUnitGetDevices(nvmlUnit_t, unsigned int* count, nvmlDevice_t* devices) {
  constexpr unsigned long kCards[] = {1, 99, 2};
  if (*count == 0 || *count > 3) *count = 3;
  for (unsigned int i = 0; devices != nullptr && i < *count; ++i)
    devices[i] = reinterpret_cast<nvmlDevice_t>(kCards[i]);
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
