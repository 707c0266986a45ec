// -q: what is known of each card, in sections.
#include <algorithm>
#include <iterator>

#include "simgpu/smi/facts.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

constexpr int kLabelWidth = 46;

// A label and the fact behind it. Without a fact, the label is a heading of those that follow.
struct Line {
  std::string_view section;  // as -d names it
  int depth;
  std::string_view label;
  std::string_view fact;
};

constexpr Line kLines[] = {
    {"", 1, "Product Name", "name"},
    {"", 1, "Display Mode", "display_mode"},
    {"", 1, "Display Active", "display_active"},
    {"", 1, "Persistence Mode", "persistence_mode"},
    {"", 1, "MIG Mode", ""},
    {"", 2, "Current", "mig.mode.current"},
    {"", 2, "Pending", "mig.mode.pending"},
    {"", 1, "Accounting Mode", "accounting.mode"},
    {"", 1, "Serial Number", "serial"},
    {"", 1, "GPU UUID", "uuid"},
    {"", 1, "VBIOS Version", "vbios_version"},
    {"", 1, "PCI", ""},
    {"", 2, "Bus", "pci.bus"},
    {"", 2, "Device", "pci.device"},
    {"", 2, "Domain", "pci.domain"},
    {"", 2, "Device Id", "pci.device_id"},
    {"", 2, "Bus Id", "pci.bus_id"},
    {"", 2, "Sub System Id", "pci.sub_device_id"},
    {"", 2, "PCIe Generation", "pcie.link.gen.current"},
    {"", 2, "Link Width", "pcie.link.width.current"},
    {"", 1, "Fan Speed", "fan.speed"},
    {"PERFORMANCE", 1, "Performance State", "pstate"},
    {"MEMORY", 1, "FB Memory Usage", ""},
    {"MEMORY", 2, "Total", "memory.total"},
    {"MEMORY", 2, "Reserved", "memory.reserved"},
    {"MEMORY", 2, "Used", "memory.used"},
    {"MEMORY", 2, "Free", "memory.free"},
    {"COMPUTE", 1, "Compute Mode", "compute_mode"},
    {"UTILIZATION", 1, "Utilization", ""},
    {"UTILIZATION", 2, "GPU", "utilization.gpu"},
    {"UTILIZATION", 2, "Memory", "utilization.memory"},
    {"UTILIZATION", 2, "Encoder", "utilization.encoder"},
    {"UTILIZATION", 2, "Decoder", "utilization.decoder"},
    {"ECC", 1, "ECC Mode", ""},
    {"ECC", 2, "Current", "ecc.mode.current"},
    {"ECC", 2, "Pending", "ecc.mode.pending"},
    {"ECC", 1, "Volatile Uncorrectable Errors", "ecc.errors.uncorrected.volatile.total"},
    {"TEMPERATURE", 1, "Temperature", ""},
    {"TEMPERATURE", 2, "GPU Current Temp", "temperature.gpu"},
    {"TEMPERATURE", 2, "Memory Current Temp", "temperature.memory"},
    {"POWER", 1, "GPU Power Readings", ""},
    {"POWER", 2, "Instantaneous Power Draw", "power.draw"},
    {"POWER", 2, "Current Power Limit", "power.limit"},
    {"POWER", 2, "Default Power Limit", "power.default_limit"},
    {"POWER", 2, "Min Power Limit", "power.min_limit"},
    {"POWER", 2, "Max Power Limit", "power.max_limit"},
    {"CLOCK", 1, "Clocks", ""},
    {"CLOCK", 2, "Graphics", "clocks.current.graphics"},
    {"CLOCK", 2, "SM", "clocks.current.sm"},
    {"CLOCK", 2, "Memory", "clocks.current.memory"},
    {"CLOCK", 1, "Max Clocks", ""},
    {"CLOCK", 2, "SM", "clocks.max.sm"},
    {"CLOCK", 2, "Memory", "clocks.max.memory"},
};

bool IsWanted(std::string_view section, const std::vector<std::string>& sections) {
  return sections.empty() || std::find(sections.begin(), sections.end(), section) != sections.end();
}

void PrintLine(int depth, std::string_view label, const std::string& value, std::FILE* out) {
  const int indent = depth * 4;
  if (value.empty()) {
    std::fprintf(out, "%*s%.*s\n", indent, "", static_cast<int>(label.size()), label.data());
  } else {
    std::fprintf(out, "%*s%-*.*s : %s\n", indent, "", kLabelWidth - indent,
                 static_cast<int>(label.size()), label.data(), value.c_str());
  }
}

std::string Value(std::string_view name, const Card& card, const Machine& machine) {
  if (name.empty()) return {};
  const std::string value = Show(name, card, machine);
  if (value == "[N/A]") return "N/A";
  return name.starts_with("temperature.") ? value + " C" : value;
}

void PrintCardProcesses(const Card& card, std::FILE* out) {
  const std::vector<Process> processes = ProcessesOn(card);
  PrintLine(1, "Processes", processes.empty() ? "None" : "", out);
  for (const Process& process : processes) {
    PrintLine(2, "Process ID", std::to_string(process.pid), out);
    PrintLine(3, "Type", "C", out);
    PrintLine(3, "Name", process.name, out);
    PrintLine(3, "Used GPU Memory", process.used_mib == "N/A" ? "N/A" : process.used_mib + " MiB",
              out);
  }
}

}  // namespace

void PrintDetails(const Machine& machine, const std::vector<std::string>& sections,
                  std::FILE* out) {
  std::fputs("\n==============NVSMI LOG==============\n\n", out);
  PrintLine(0, "Timestamp", TimeStamp(), out);
  PrintLine(0, "Driver Version", machine.driver_version, out);
  PrintLine(0, "CUDA Version", machine.cuda_version, out);
  std::fputc('\n', out);
  PrintLine(0, "Attached GPUs", std::to_string(machine.cards.size()), out);
  for (const Card& card : machine.cards) {
    std::fprintf(out, "GPU %s\n", card.pci.busId);
    for (const Line& line : kLines) {
      if (IsWanted(line.section, sections)) {
        PrintLine(line.depth, line.label, Value(line.fact, card, machine), out);
      }
    }
    if (IsWanted("PIDS", sections)) PrintCardProcesses(card, out);
    std::fputc('\n', out);
  }
}

}  // namespace simgpu::smi
