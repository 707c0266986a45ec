// A management library of three cards, or of what FAKE_NVML says: "none", "no-driver", "bad-uuid".
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "abi/driver/nvml_types.h"

namespace {

bool Says(const char* word) {
  const char* told = std::getenv("FAKE_NVML");
  return told != nullptr && std::strcmp(told, word) == 0;
}

// A handle is the index and one, so that none is null.
unsigned long IndexOf(nvmlDevice_t device) { return reinterpret_cast<unsigned long>(device) - 1; }

}  // namespace

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  return Says("no-driver") ? NVML_ERROR_DRIVER_NOT_LOADED : NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown() { return NVML_SUCCESS; }

const char* nvmlErrorString(nvmlReturn_t result) {
  return result == NVML_ERROR_DRIVER_NOT_LOADED ? "Driver Not Loaded" : "Other";
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = Says("none") ? 0 : 3;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  *device = reinterpret_cast<nvmlDevice_t>(static_cast<unsigned long>(index) + 1);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  const char* format = Says("bad-uuid") ? "card %lu" : "GPU-%08lx-0000-0000-0000-000000000000";
  std::snprintf(uuid, length, format, IndexOf(device) + 1);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  std::snprintf(name, length, "Fake\x1b %lu", IndexOf(device));
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  *memory = {.total = (IndexOf(device) + 1) << 30, .free = 0, .used = 4096};
  return NVML_SUCCESS;
}
}
