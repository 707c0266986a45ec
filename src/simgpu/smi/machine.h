// What there is to show: cards and the processes on them.
#pragma once

#include <chrono>
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

// Percents of a card's time; none: it had none, or that is not known.
struct ProcessUse {
  std::optional<unsigned> sm;
  std::optional<unsigned> memory;
  std::optional<unsigned> encoder;
  std::optional<unsigned> decoder;
};

struct Process {
  unsigned pid = 0;
  std::string used_mib;  // or N/A
  std::string name;
  ProcessUse use = {};  // by ReadUse
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
// What the processes used in the time that has just passed.
void ReadUse(const Card& card, std::chrono::milliseconds time, std::vector<Process>* processes);
std::optional<unsigned long long> EccErrors(const Card& card, nvmlMemoryErrorType_t type,
                                            nvmlEccCounterType_t since);

}  // namespace simgpu::smi
