// NVML that cannot be believed. Of the card it tells FAKE_NVML_CARD bytes more each time, of this
// process, which is in its list from the second time on, FAKE_NVML_PROCESS bytes more. It keeps a
// thread for as long as the program runs, as NVML 580 does.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi/driver/nvml_types.h"

namespace {

unsigned long long Step(const char* variable) { return strtoull(getenv(variable), nullptr, 10); }

// A thread has all signals blocked until it runs.
void* Stay(void* runs) {
  pthread_setname_np(pthread_self(), "fake-nvml");
  sem_post(static_cast<sem_t*>(runs));
  while (true) pause();
}

}  // namespace

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  pthread_t thread;
  static sem_t runs;
  sem_init(&runs, 0, 0);
  if (pthread_create(&thread, nullptr, Stay, &runs) != 0) return NVML_ERROR_UNKNOWN;
  sem_wait(&runs);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char*, nvmlDevice_t* device) {
  *device = reinterpret_cast<nvmlDevice_t>(1UL);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t, nvmlMemory_t* memory) {
  static unsigned long long used = 0;
  used += Step("FAKE_NVML_CARD");
  *memory = {.total = ~0ULL, .free = ~0ULL - used, .used = used};
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t, unsigned int* count,
                                                     nvmlProcessInfo_v2_t* infos) {
  static unsigned long long asked = 0;
  const unsigned long long bytes = asked * Step("FAKE_NVML_PROCESS");
  *count = asked++ == 0 ? 0 : 1;
  infos[0] = {.pid = static_cast<unsigned int>(getpid()),
              .usedGpuMemory = bytes,
              .gpuInstanceId = ~0U,
              .computeInstanceId = ~0U};
  return NVML_SUCCESS;
}
}
