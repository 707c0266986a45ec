// What there is to show: cards and the processes on them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simgpu/smi/library.h"

namespace simgpu::smi {

struct Card {
  const Nvml* nvml = nullptr;
  nvmlDevice_t device = nullptr;
  unsigned index = 0;
  std::string name;
  std::string uuid;
  std::string serial;  // empty: it has none
  nvmlPciInfo_t pci{};
};

struct Process {
  unsigned pid = 0;
  std::string used_mib;  // or N/A
  std::string name;
};

struct Machine {
  std::string driver_version;
  std::string nvml_version;
  std::string cuda_version;  // "13.0"
  std::vector<Card> cards;   // those that are visible to this program
};

Machine ReadMachine(const Nvml& nvml);

// Whether `id`, as the user gives it, names the card: index, UUID, PCI address or serial number.
bool IsNamed(const Card& card, std::string_view id);

std::optional<nvmlMemory_v2_t> MemoryOf(const Card& card);
std::vector<Process> ProcessesOn(const Card& card);
std::optional<unsigned long long> EccErrors(const Card& card, nvmlMemoryErrorType_t type,
                                            nvmlEccCounterType_t since);

}  // namespace simgpu::smi
