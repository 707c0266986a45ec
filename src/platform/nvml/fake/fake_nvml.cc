// A management library of three cards, or of what FAKE_NVML says: "none", "no-driver", "bad-uuid",
// "linked" (the first two, by their fourth link; one to the third is down), "switched" (all); of
// card 1, "lost": that it has fallen off the bus, "forgetful": not what memory it has,
// "hangs:FILE": nothing while that file is there. "threaded": with a thread of its own,
// fake-driver, that is there for good from nvmlInit on.
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "abi/driver/nvml_types.h"

namespace {

bool Says(const char* word) {
  const char* told = std::getenv("FAKE_NVML");
  return told != nullptr && std::strcmp(told, word) == 0;
}

void WaitWhileHanging() {
  const char* told = std::getenv("FAKE_NVML");
  constexpr char kHangs[] = "hangs:";
  if (told == nullptr || std::strncmp(told, kHangs, sizeof(kHangs) - 1) != 0) return;
  const std::string file = told + sizeof(kHangs) - 1;
  while (access(file.c_str(), F_OK) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void StartThread() {
  std::thread thread([] {
    while (true) pause();
  });
  pthread_setname_np(thread.native_handle(), "fake-driver");
  thread.detach();
}

// A handle is the index and one, so that none is null.
unsigned long IndexOf(nvmlDevice_t device) { return reinterpret_cast<unsigned long>(device) - 1; }

}  // namespace

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  if (Says("threaded")) StartThread();
  return Says("no-driver") ? NVML_ERROR_DRIVER_NOT_LOADED : NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown() { return NVML_SUCCESS; }

const char* nvmlErrorString(nvmlReturn_t result) {
  if (result == NVML_ERROR_GPU_IS_LOST) return "GPU is lost";
  return result == NVML_ERROR_DRIVER_NOT_LOADED ? "Driver Not Loaded" : "Other";
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = Says("none") ? 0 : 3;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  if (index == 1 && Says("lost")) return NVML_ERROR_GPU_IS_LOST;
  *device = reinterpret_cast<nvmlDevice_t>(static_cast<unsigned long>(index) + 1);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  if (IndexOf(device) == 1) WaitWhileHanging();
  const char* format = Says("bad-uuid") ? "card %lu" : "GPU-%08lx-0000-0000-0000-000000000000";
  std::snprintf(uuid, length, format, IndexOf(device) + 1);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  std::snprintf(name, length, "Fake\x1b %lu", IndexOf(device));
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  if (IndexOf(device) == 1 && Says("forgetful")) return NVML_ERROR_GPU_IS_LOST;
  *memory = {.total = (IndexOf(device) + 1) << 30, .free = 0, .used = 4096};
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  *pci = {};
  pci->bus = static_cast<unsigned int>(0x10 + IndexOf(device));
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link,
                                      nvmlEnableState_t* state) {
  const bool is_up = Says("switched") || (Says("linked") && IndexOf(device) < 2 && link == 3);
  const bool is_down = Says("linked") && IndexOf(device) > 0 && link == 5;
  if (!is_up && !is_down) return NVML_ERROR_NOT_SUPPORTED;
  *state = is_up ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned int link,
                                                 nvmlPciInfo_t* pci) {
  *pci = {};
  if (Says("switched")) return NVML_ERROR_NOT_SUPPORTED;
  const unsigned long first = link == 3 ? 0 : 1;  // of the two cards that it joins
  const unsigned long peer = IndexOf(device) == first ? first + 1 : first;
  pci->bus = static_cast<unsigned int>(0x10 + peer);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t, unsigned int,
                                                 nvmlIntNvLinkDeviceType_t* type) {
  *type = Says("switched") ? NVML_NVLINK_DEVICE_TYPE_SWITCH : NVML_NVLINK_DEVICE_TYPE_GPU;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  unsigned long number = 0;
  if (std::sscanf(uuid, "GPU-%8lx-", &number) != 1 || number == 0) return NVML_ERROR_NOT_FOUND;
  return nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned int>(number - 1), device);
}

nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t* set) {
  *set = nullptr;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t) { return NVML_SUCCESS; }

nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t, unsigned long long, nvmlEventSet_t) {
  return NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t, nvmlEventData_t*, unsigned int) {
  return NVML_ERROR_NOT_SUPPORTED;
}
}
