#include "interposer/accounts/driver_report.h"

#include <initializer_list>

#include "abi/driver/nvml_types.h"
#include "abi/names/env.h"
#include "interposer/dispatch/driver_library.h"
#include "interposer/dispatch/loader.h"
#include "interposer/guest/kernel.h"
#include "interposer/guest/quiet_signals.h"
#include "interposer/guest/text.h"

namespace warpshare::interposer {

namespace {

template <typename Function>
bool Find(void* library, const char* symbol, Function*& function) {
  function = reinterpret_cast<Function*>(FindSymbol(library, symbol));
  return function != nullptr;
}

// GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx, or MIG-... for a part of a card.
void Spell(guest::TextBuffer& text, const char* prefix, const uint8_t (&uuid)[16]) {
  text.Add(prefix);
  for (uint32_t i = 0; i < sizeof(uuid); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.Add('-');
    text.Add("0123456789abcdef"[uuid[i] >> 4]).Add("0123456789abcdef"[uuid[i] & 15]);
  }
}

}  // namespace

static_assert(DriverReport::kUntold == static_cast<uint64_t>(NVML_VALUE_NOT_AVAILABLE));

struct DriverReporter::Nvml {
  nvmlReturn_t (*init)();
  nvmlReturn_t (*handle)(const char* uuid, nvmlDevice_t* device);
  nvmlReturn_t (*memory)(nvmlDevice_t device, nvmlMemory_t* memory);
  nvmlReturn_t (*processes)(nvmlDevice_t device, unsigned int* count, nvmlProcessInfo_v2_t* infos);

  bool Load(void* library) {
    return Find(library, "nvmlInit_v2", init) &&
           Find(library, "nvmlDeviceGetHandleByUUID", handle) &&
           Find(library, "nvmlDeviceGetMemoryInfo", memory) &&
           (Find(library, "nvmlDeviceGetComputeRunningProcesses_v3", processes) ||
            Find(library, "nvmlDeviceGetComputeRunningProcesses_v2", processes));
  }

  bool FindDevice(const Uuid& uuid, nvmlDevice_t& device) const {
    for (const char* prefix : {"GPU-", "MIG-"}) {
      guest::Text<64> text;
      Spell(text, prefix, uuid);
      if (handle(text.text(), &device) == NVML_SUCCESS) return true;
    }
    return false;
  }

  bool List(nvmlDevice_t device, DriverReport& report) const {
    nvmlProcessInfo_v2_t infos[DriverReport::kMostProcesses];
    report.count = DriverReport::kMostProcesses;
    if (processes(device, &report.count, infos) != NVML_SUCCESS) return false;
    for (uint32_t i = 0; i < report.count; ++i) {
      report.processes[i] = {.pid = infos[i].pid, .bytes = infos[i].usedGpuMemory};
    }
    return true;
  }
};

bool DriverReport::Lists(uint32_t pid) const {
  for (uint32_t i = 0; i < count; ++i) {
    if (processes[i].pid == pid) return true;
  }
  return false;
}

uint64_t DriverReport::BytesOf(uint32_t pid) const {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (processes[i].pid != pid) continue;
    if (processes[i].bytes == kUntold) return kUntold;
    bytes += processes[i].bytes;
  }
  return bytes;
}

bool DriverReport::Tells(uint32_t pid) const {
  const uint64_t bytes = BytesOf(pid);
  return bytes != 0 && bytes != kUntold;
}

bool DriverReporter::Open(Nvml& nvml) {
  if (void* library = library_.load(std::memory_order_acquire); library != nullptr) {
    return nvml.Load(library);
  }
  if (is_absent_.load(std::memory_order_relaxed)) return false;
  const guest::LockGuard guard(lock_);
  const guest::QuietSignals quiet;  // it may start threads, which the program did not ask for
  void* library = OpenBesideDriver(abi::kNvmlSoname);
  if (library == nullptr || !nvml.Load(library) || nvml.init() != NVML_SUCCESS) {
    is_absent_.store(true, std::memory_order_relaxed);
    return false;
  }
  library_.store(library, std::memory_order_release);
  return true;
}

void DriverReporter::Read(const Uuid& uuid, DriverReport& report) {
  Nvml nvml;
  nvmlDevice_t device;
  nvmlMemory_t memory{};
  report.count = 0;
  report.is_known =
      Open(nvml) && nvml.FindDevice(uuid, device) && nvml.memory(device, &memory) == NVML_SUCCESS;
  if (!report.is_known) return;
  report.card_bytes = memory.used;
  if (!nvml.List(device, report)) report.count = 0;
}

void DriverReporter::LearnPid(const DriverReport& before, const DriverReport& after,
                              bool had_memory) {
  const auto self = static_cast<uint32_t>(guest::ProcessId());
  if (after.Lists(self) && (had_memory || !before.Lists(self))) {
    pid_.store(self, std::memory_order_relaxed);
    return;
  }
  uint32_t added = 0;
  uint32_t last_added = 0;
  for (uint32_t i = 0; i < after.count; ++i) {
    if (before.Lists(after.processes[i].pid)) continue;
    ++added;
    last_added = after.processes[i].pid;
  }
  // Two who start at once look the same: then neither is believed.
  if (added == 1) pid_.store(last_added, std::memory_order_relaxed);
}

}  // namespace warpshare::interposer
