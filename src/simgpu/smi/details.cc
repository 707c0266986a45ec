#include "simgpu/smi/details.h"

#include <algorithm>

#include "simgpu/smi/facts.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

constexpr int kLabelWidth = 46;

constexpr Detail kDetails[] = {
    {"", 1, "Product Name", "name", "product_name"},
    {"", 1, "Product Brand", "brand", "product_brand"},
    {"", 1, "Product Architecture", "architecture", "product_architecture"},
    {"", 1, "Display Mode", "display_mode", "display_mode"},
    {"", 1, "Display Active", "display_active", "display_active"},
    {"", 1, "Persistence Mode", "persistence_mode", "persistence_mode"},
    {"", 1, "MIG Mode", "", "mig_mode"},
    {"", 2, "Current", "mig.mode.current", "current_mig"},
    {"", 2, "Pending", "mig.mode.pending", "pending_mig"},
    {"", 1, "Accounting Mode", "accounting.mode", "accounting_mode"},
    {"", 1, "Accounting Mode Buffer Size", "accounting.buffer_size", "accounting_mode_buffer_size"},
    {"", 1, "Serial Number", "serial", "serial"},
    {"", 1, "GPU UUID", "uuid", "uuid"},
    {"", 1, "Minor Number", "minor_number", "minor_number"},
    {"", 1, "VBIOS Version", "vbios_version", "vbios_version"},
    {"", 1, "PCI", "", "pci"},
    {"", 2, "Bus", "pci.bus", "pci_bus"},
    {"", 2, "Device", "pci.device", "pci_device"},
    {"", 2, "Domain", "pci.domain", "pci_domain"},
    {"", 2, "Device Id", "pci.device_id", "pci_device_id"},
    {"", 2, "Bus Id", "pci.bus_id", "pci_bus_id"},
    {"", 2, "Sub System Id", "pci.sub_device_id", "pci_sub_system_id"},
    {"", 2, "GPU Link Info", "", "pci_gpu_link_info"},
    {"", 3, "PCIe Generation", "", "pcie_gen"},
    {"", 4, "Max", "pcie.link.gen.max", "max_link_gen"},
    {"", 4, "Current", "pcie.link.gen.current", "current_link_gen"},
    {"", 3, "Link Width", "", "link_widths"},
    {"", 4, "Max", "pcie.link.width.max", "max_link_width"},
    {"", 4, "Current", "pcie.link.width.current", "current_link_width"},
    {"", 2, "Replays Since Reset", "pcie.replays", "replay_counter"},
    {"", 2, "Tx Throughput", "pcie.tx", "tx_util"},
    {"", 2, "Rx Throughput", "pcie.rx", "rx_util"},
    {"", 1, "Fan Speed", "fan.speed", "fan_speed"},
    {"PERFORMANCE", 1, "Performance State", "pstate", "performance_state"},
    {"MEMORY", 1, "FB Memory Usage", "", "fb_memory_usage"},
    {"MEMORY", 2, "Total", "memory.total", "total"},
    {"MEMORY", 2, "Reserved", "memory.reserved", "reserved"},
    {"MEMORY", 2, "Used", "memory.used", "used"},
    {"MEMORY", 2, "Free", "memory.free", "free"},
    {"MEMORY", 1, "BAR1 Memory Usage", "", "bar1_memory_usage"},
    {"MEMORY", 2, "Total", "bar1.total", "total"},
    {"MEMORY", 2, "Used", "bar1.used", "used"},
    {"MEMORY", 2, "Free", "bar1.free", "free"},
    {"COMPUTE", 1, "Compute Mode", "compute_mode", "compute_mode"},
    {"UTILIZATION", 1, "Utilization", "", "utilization"},
    {"UTILIZATION", 2, "GPU", "utilization.gpu", "gpu_util"},
    {"UTILIZATION", 2, "Memory", "utilization.memory", "memory_util"},
    {"UTILIZATION", 2, "Encoder", "utilization.encoder", "encoder_util"},
    {"UTILIZATION", 2, "Decoder", "utilization.decoder", "decoder_util"},
    {"UTILIZATION", 2, "JPEG", "utilization.jpeg", "jpeg_util"},
    {"UTILIZATION", 2, "OFA", "utilization.ofa", "ofa_util"},
    {"UTILIZATION", 1, "Encoder Stats", "", "encoder_stats"},
    {"UTILIZATION", 2, "Active Sessions", "encoder.stats.sessionCount", "session_count"},
    {"UTILIZATION", 2, "Average FPS", "encoder.stats.averageFps", "average_fps"},
    {"UTILIZATION", 2, "Average Latency", "encoder.stats.averageLatency", "average_latency"},
    {"ECC", 1, "ECC Mode", "", "ecc_mode"},
    {"ECC", 2, "Current", "ecc.mode.current", "current_ecc"},
    {"ECC", 2, "Pending", "ecc.mode.pending", "pending_ecc"},
    {"ECC", 1, "Volatile Uncorrectable Errors", "ecc.errors.uncorrected.volatile.total",
     "volatile_uncorrectable_errors"},
    {"TEMPERATURE", 1, "Temperature", "", "temperature"},
    {"TEMPERATURE", 2, "GPU Current Temp", "temperature.gpu", "gpu_temp"},
    {"TEMPERATURE", 2, "Memory Current Temp", "temperature.memory", "memory_temp"},
    {"POWER", 1, "GPU Power Readings", "", "gpu_power_readings"},
    {"POWER", 2, "Power State", "pstate", "power_state"},
    {"POWER", 2, "Average Power Draw", "power.draw.average", "average_power_draw"},
    {"POWER", 2, "Instantaneous Power Draw", "power.draw", "instant_power_draw"},
    {"POWER", 2, "Current Power Limit", "power.limit", "current_power_limit"},
    {"POWER", 2, "Default Power Limit", "power.default_limit", "default_power_limit"},
    {"POWER", 2, "Min Power Limit", "power.min_limit", "min_power_limit"},
    {"POWER", 2, "Max Power Limit", "power.max_limit", "max_power_limit"},
    {"CLOCK", 1, "Clocks", "", "clocks"},
    {"CLOCK", 2, "Graphics", "clocks.current.graphics", "graphics_clock"},
    {"CLOCK", 2, "SM", "clocks.current.sm", "sm_clock"},
    {"CLOCK", 2, "Memory", "clocks.current.memory", "mem_clock"},
    {"CLOCK", 2, "Video", "clocks.current.video", "video_clock"},
    {"CLOCK", 1, "Max Clocks", "", "max_clocks"},
    {"CLOCK", 2, "Graphics", "clocks.max.graphics", "graphics_clock"},
    {"CLOCK", 2, "SM", "clocks.max.sm", "sm_clock"},
    {"CLOCK", 2, "Memory", "clocks.max.memory", "mem_clock"},
};

void PrintLine(int depth, std::string_view label, const std::string& value, std::FILE* out) {
  const int indent = depth * 4;
  if (value.empty()) {
    std::fprintf(out, "%*s%.*s\n", indent, "", static_cast<int>(label.size()), label.data());
  } else {
    std::fprintf(out, "%*s%-*.*s : %s\n", indent, "", kLabelWidth - indent,
                 static_cast<int>(label.size()), label.data(), value.c_str());
  }
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

std::span<const Detail> AllDetails() { return kDetails; }

bool IsWanted(std::string_view section, const std::vector<std::string>& sections) {
  return sections.empty() || std::find(sections.begin(), sections.end(), section) != sections.end();
}

std::string Value(const Detail& detail, const Card& card, const Machine& machine) {
  if (detail.fact.empty()) return {};
  const std::string value = Show(detail.fact, card, machine);
  if (value == "[N/A]") return "N/A";
  if (detail.fact.starts_with("temperature.")) return value + " C";
  return detail.fact.starts_with("pcie.link.width.") ? value + "x" : value;
}

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
    for (const Detail& detail : kDetails) {
      if (IsWanted(detail.section, sections)) {
        PrintLine(detail.depth, detail.label, Value(detail, card, machine), out);
      }
    }
    if (IsWanted("PIDS", sections)) PrintCardProcesses(card, out);
    std::fputc('\n', out);
  }
}

}  // namespace simgpu::smi
