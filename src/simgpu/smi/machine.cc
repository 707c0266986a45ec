#include "simgpu/smi/machine.h"

#include <strings.h>

#include <algorithm>

#include "simgpu/smi/ask.h"

namespace simgpu::smi {
namespace {

std::string SystemText(nvmlReturn_t (*function)(char*, unsigned)) {
  char text[96] = "";
  if (function == nullptr || function(text, sizeof(text)) != NVML_SUCCESS) return "N/A";
  return text;
}

std::string CudaVersion(const Nvml& nvml) {
  int version = 0;
  if (nvml.nvmlSystemGetCudaDriverVersion_v2 == nullptr ||
      nvml.nvmlSystemGetCudaDriverVersion_v2(&version) != NVML_SUCCESS) {
    return "N/A";
  }
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Card ReadCard(const Nvml& nvml, nvmlDevice_t device, unsigned index) {
  Card card;
  card.nvml = &nvml;
  card.device = device;
  card.index = Ask(nvml.nvmlDeviceGetIndex, device).value_or(index);
  card.name = AskText(nvml.nvmlDeviceGetName, device).value_or("N/A");
  card.uuid = AskText(nvml.nvmlDeviceGetUUID, device).value_or("N/A");
  card.serial = AskText(nvml.nvmlDeviceGetSerial, device).value_or("");
  card.pci = Ask(nvml.nvmlDeviceGetPciInfo_v3, device).value_or(nvmlPciInfo_t{});
  return card;
}

std::string ProcessName(const Nvml& nvml, unsigned pid) {
  char name[1024] = "";
  if (nvml.nvmlSystemGetProcessName == nullptr ||
      nvml.nvmlSystemGetProcessName(pid, name, sizeof(name)) != NVML_SUCCESS) {
    return "[Not Found]";
  }
  return name;
}

bool SameLetters(const char* one, std::string_view other) {
  return std::string_view(one).size() == other.size() &&
         strncasecmp(one, other.data(), other.size()) == 0;
}

}  // namespace

Machine ReadMachine(const Nvml& nvml) {
  Machine machine{.driver_version = SystemText(nvml.nvmlSystemGetDriverVersion),
                  .nvml_version = SystemText(nvml.nvmlSystemGetNVMLVersion),
                  .cuda_version = CudaVersion(nvml),
                  .cards = {}};
  unsigned count = 0;
  if (nvml.nvmlDeviceGetCount_v2 == nullptr || nvml.nvmlDeviceGetHandleByIndex_v2 == nullptr ||
      nvml.nvmlDeviceGetCount_v2(&count) != NVML_SUCCESS) {
    return machine;
  }
  for (unsigned index = 0; index < count; ++index) {
    nvmlDevice_t device = nullptr;
    if (nvml.nvmlDeviceGetHandleByIndex_v2(index, &device) != NVML_SUCCESS) continue;
    machine.cards.push_back(ReadCard(nvml, device, index));
  }
  return machine;
}

bool IsNamed(const Card& card, std::string_view id) {
  return id == std::to_string(card.index) || SameLetters(card.uuid.c_str(), id) ||
         SameLetters(card.pci.busId, id) || SameLetters(card.pci.busIdLegacy, id) ||
         (!card.serial.empty() && id == card.serial);
}

std::optional<nvmlMemory_v2_t> MemoryOf(const Card& card) {
  nvmlMemory_v2_t memory{};
  memory.version = nvmlMemory_v2;
  const auto function = card.nvml->nvmlDeviceGetMemoryInfo_v2;
  if (function == nullptr || function(card.device, &memory) != NVML_SUCCESS) return std::nullopt;
  return memory;
}

std::vector<Process> ProcessesOn(const Card& card) {
  const auto function = card.nvml->nvmlDeviceGetComputeRunningProcesses_v3;
  std::vector<nvmlProcessInfo_t> infos(16);
  nvmlReturn_t result = NVML_ERROR_INSUFFICIENT_SIZE;
  // Some may start between being counted and being listed; a few tries are enough.
  for (int tries = 0; tries < 5 && function != nullptr && result != NVML_SUCCESS; ++tries) {
    auto count = static_cast<unsigned>(infos.size());
    result = function(card.device, &count, infos.data());
    if (result == NVML_ERROR_INSUFFICIENT_SIZE) count += 16;
    infos.resize(result == NVML_SUCCESS || result == NVML_ERROR_INSUFFICIENT_SIZE ? count : 0);
  }
  if (result != NVML_SUCCESS) infos.clear();
  std::vector<Process> processes;
  for (const nvmlProcessInfo_t& info : infos) {
    const bool is_known =
        info.usedGpuMemory != static_cast<unsigned long long>(NVML_VALUE_NOT_AVAILABLE);
    processes.push_back({.pid = info.pid,
                         .used_mib = is_known ? std::to_string(info.usedGpuMemory >> 20) : "N/A",
                         .name = ProcessName(*card.nvml, info.pid)});
  }
  return processes;
}

void ReadUse(const Card& card, std::chrono::milliseconds time, std::vector<Process>* processes) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::system_clock::now().time_since_epoch() - time);
  const auto function = card.nvml->nvmlDeviceGetProcessUtilization;
  std::vector<nvmlProcessUtilizationSample_t> samples(processes->size() + 64);
  auto count = static_cast<unsigned>(samples.size());
  if (function == nullptr ||
      function(card.device, samples.data(), &count,
               static_cast<unsigned long long>(since.count())) != NVML_SUCCESS) {
    return;
  }
  samples.resize(std::min<size_t>(count, samples.size()));
  for (Process& process : *processes) {
    for (const nvmlProcessUtilizationSample_t& sample : samples) {
      if (sample.pid != process.pid) continue;
      process.use = {sample.smUtil, sample.memUtil, sample.encUtil, sample.decUtil};
    }
  }
}

std::optional<unsigned long long> EccErrors(const Card& card, nvmlMemoryErrorType_t type,
                                            nvmlEccCounterType_t since) {
  unsigned long long count = 0;
  const auto function = card.nvml->nvmlDeviceGetTotalEccErrors;
  if (function == nullptr || function(card.device, type, since, &count) != NVML_SUCCESS) {
    return std::nullopt;
  }
  return count;
}

}  // namespace simgpu::smi
