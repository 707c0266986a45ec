// Programs with a context on a card. All simulated work is compute: the lists for graphics and for
// MPS are always empty.
#include <algorithm>
#include <vector>

#include "simgpu/nvml/processes/api.h"
#include "simgpu/nvml/processes/pids.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::CheckDevice;
using simgpu::nvml::GiveList;
using simgpu::world::ProcessMemory;
using simgpu::world::ProcessUse;

namespace {

constexpr unsigned kNoInstance = 0xFFFF'FFFF;  // what the instance ids are without MIG

struct Entry {
  unsigned pid;
  unsigned long long bytes;
};

// A process that has loaded the driver twice takes part twice, and is still one.
void Add(const Entry& entry, std::vector<Entry>* entries) {
  const auto same = std::find_if(entries->begin(), entries->end(),
                                 [&entry](const Entry& other) { return other.pid == entry.pid; });
  if (same == entries->end()) {
    entries->push_back(entry);
  } else {
    same->bytes += entry.bytes;
  }
}

unsigned long long Told(unsigned long long bytes, ProcessMemory memory) {
  switch (memory) {
    case ProcessMemory::kHidden:
      return 0;
    case ProcessMemory::kUnknown:
      return static_cast<unsigned long long>(NVML_VALUE_NOT_AVAILABLE);
    default:
      return bytes;
  }
}

std::vector<Entry> EntriesOn(const Card& card) {
  std::vector<Entry> entries;
  for (const ProcessUse& process : card.world->Processes()) {
    const unsigned long long bytes = process.cards[card.index].memory.total();
    if (bytes == 0) continue;
    const unsigned pid = simgpu::nvml::VisiblePid(process);
    if (pid != 0) Add({pid, bytes}, &entries);
  }
  for (Entry& entry : entries) entry.bytes = Told(entry.bytes, card.spec().process_memory);
  return entries;
}

void Put(const Entry& entry, nvmlProcessInfo_v1_t* out) {
  *out = {.pid = entry.pid, .usedGpuMemory = entry.bytes};
}

void Put(const Entry& entry, nvmlProcessInfo_v2_t* out) {
  *out = {.pid = entry.pid,
          .usedGpuMemory = entry.bytes,
          .gpuInstanceId = kNoInstance,
          .computeInstanceId = kNoInstance};
}

void Put(const Entry& entry, nvmlProcessDetail_v1_t* out) {
  *out = {.pid = entry.pid,
          .usedGpuMemory = entry.bytes,
          .gpuInstanceId = kNoInstance,
          .computeInstanceId = kNoInstance,
          .usedGpuCcProtectedMemory = 0};
}

template <typename Info>
std::vector<Info> InfosOn(const Card& card) {
  std::vector<Info> infos;
  for (const Entry& entry : EntriesOn(card)) Put(entry, &infos.emplace_back());
  return infos;
}

template <typename Info>
nvmlReturn_t GiveProcesses(nvmlDevice_t device, unsigned* count, Info* infos) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  return GiveList(InfosOn<Info>(card), count, infos);
}

template <typename Info>
nvmlReturn_t GiveNone(nvmlDevice_t device, unsigned* count, Info* infos) {
  SIMGPU_TRY(CheckDevice(device));
  return GiveList({}, count, infos);
}

}  // namespace

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned* count,
                                                  nvmlProcessInfo_v1_t* infos) {
  return GiveProcesses(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned* count,
                                                     nvmlProcessInfo_v2_t* infos) {
  return GiveProcesses(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned* count,
                                                     nvmlProcessInfo_t* infos) {
  return GiveProcesses(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned* count,
                                                   nvmlProcessInfo_v1_t* infos) {
  return GiveNone(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device, unsigned* count,
                                                      nvmlProcessInfo_v2_t* infos) {
  return GiveNone(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned* count,
                                                      nvmlProcessInfo_t* infos) {
  return GiveNone(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t device, unsigned* count,
                                                     nvmlProcessInfo_v1_t* infos) {
  return GiveNone(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v2(nvmlDevice_t device, unsigned* count,
                                                        nvmlProcessInfo_v2_t* infos) {
  return GiveNone(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned* count,
                                                        nvmlProcessInfo_t* infos) {
  return GiveNone(device, count, infos);
}

nvmlReturn_t nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device,
                                                   nvmlProcessDetailList_t* list) {
  constexpr unsigned kCompute = 0;
  constexpr unsigned kMps = 2;  // the last mode there is
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(list != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(list->version == nvmlProcessDetailList_v1, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  SIMGPU_REQUIRE(list->mode <= kMps, NVML_ERROR_INVALID_ARGUMENT);
  if (list->mode != kCompute) return GiveList({}, &list->numProcArrayEntries, list->procArray);
  return GiveList(InfosOn<nvmlProcessDetail_v1_t>(card), &list->numProcArrayEntries,
                  list->procArray);
}
