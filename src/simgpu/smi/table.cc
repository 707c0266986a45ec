// The table shown when nothing else is asked for, and the list of cards. Programs read the table
// with regular expressions made for nvidia-smi's: columns and words are where those expect them.
#include <ctime>

#include "simgpu/smi/facts.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

constexpr const char* kFullRule =
    "+-----------------------------------------------------------------------------------------+";
constexpr const char* kColumnsRule =
    "+-----------------------------------------+------------------------+----------------------+";
constexpr const char* kColumnsDoubleRule =
    "|=========================================+========================+======================|";
constexpr const char* kFullDoubleRule =
    "|=========================================================================================|";

// The end of a text that is longer than its column, as for the paths of programs.
std::string Shorten(const std::string& text, size_t width) {
  if (text.size() <= width) return text;
  constexpr size_t kDots = 3;
  return "..." + text.substr(text.size() - (width - kDots));
}

std::string Begin(const std::string& text, size_t width) { return text.substr(0, width); }

std::string Mebibytes(unsigned long long bytes) { return std::to_string(bytes >> 20) + "MiB"; }

std::string WithUnit(const std::string& value, std::string_view unit) {
  return value == "N/A" ? value : value + std::string(unit);
}

// As in the table: without brackets and without the space before the unit.
std::string Brief(std::string_view fact, const Card& card, const Machine& machine) {
  const std::string value = FindFact(fact)->read(card, machine).value_or("N/A");
  return WithUnit(value, FindFact(fact)->unit);
}

std::string OnOff(std::string_view fact, const Card& card, const Machine& machine) {
  const std::string state = Show(fact, card, machine);
  return state == "Enabled" ? "On" : state == "Disabled" ? "Off" : "N/A";
}

// Whole watts: the column has no room for more.
std::string BriefWatts(std::string_view fact, const Card& card, const Machine& machine) {
  const std::string watts = FindFact(fact)->read(card, machine).value_or("N/A");
  return watts == "N/A" ? watts : watts.substr(0, watts.find('.')) + "W";
}

void PrintNow(std::FILE* out) {
  const std::time_t now = std::time(nullptr);
  tm local{};
  localtime_r(&now, &local);
  char text[64];
  std::strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &local);
  std::fprintf(out, "%s\n", text);
}

void PrintHead(const Machine& machine, std::FILE* out) {
  std::fprintf(out, "%s\n| %-33s Driver Version: %-14s CUDA Version: %-9s|\n", kFullRule,
               ("SIMGPU-SMI " + machine.driver_version).c_str(), machine.driver_version.c_str(),
               machine.cuda_version.c_str());
  std::fprintf(out, "%s\n", kColumnsRule);
  std::fputs(
      "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC "
      "|\n"
      "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. "
      "|\n"
      "|                                         |                        |               MIG M. "
      "|\n",
      out);
  std::fprintf(out, "%s\n", kColumnsDoubleRule);
}

void PrintCard(const Card& card, const Machine& machine, std::FILE* out) {
  const auto memory = MemoryOf(card);
  const std::string used = memory ? Mebibytes(memory->used) : "N/A";
  const std::string total = memory ? Mebibytes(memory->total) : "N/A";
  const auto errors = EccErrors(card, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC);
  std::fprintf(out, "| %3u  %-26s %7s | %18s %3s | %20s |\n", card.index,
               Begin(card.name, 26).c_str(), OnOff("persistence_mode", card, machine).c_str(),
               card.pci.busId, OnOff("display_active", card, machine).c_str(),
               errors ? std::to_string(*errors).c_str() : "N/A");
  std::fprintf(out, "| %-4s%5s    %-3s%15s / %5s | %10s / %9s | %7s %12s |\n",
               Brief("fan.speed", card, machine).c_str(),
               (Brief("temperature.gpu", card, machine) + "C").c_str(),
               Brief("pstate", card, machine).c_str(),
               BriefWatts("power.draw", card, machine).c_str(),
               BriefWatts("power.limit", card, machine).c_str(), used.c_str(), total.c_str(),
               Brief("utilization.gpu", card, machine).c_str(),
               Begin(Brief("compute_mode", card, machine), 12).c_str());
  std::fprintf(out, "| %39s | %22s | %20s |\n%s\n", "", "",
               Brief("mig.mode.current", card, machine).c_str(), kColumnsRule);
}

void PrintProcesses(const Machine& machine, std::FILE* out) {
  std::fprintf(out, "\n%s\n| %-87s |\n", kFullRule, "Processes:");
  std::fputs(
      "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory "
      "|\n"
      "|        ID   ID                                                               Usage      "
      "|\n",
      out);
  std::fprintf(out, "%s\n", kFullDoubleRule);
  bool any = false;
  for (const Card& card : machine.cards) {
    for (const Process& process : ProcessesOn(card)) {
      std::fprintf(out, "| %4u   N/A  N/A %16u      C   %-33s %11s |\n", card.index, process.pid,
                   Shorten(process.name, 33).c_str(), WithUnit(process.used_mib, "MiB").c_str());
      any = true;
    }
  }
  if (!any) std::fprintf(out, "| %-87s |\n", " No running processes found");
  std::fprintf(out, "%s\n", kFullRule);
}

}  // namespace

void PrintTable(const Machine& machine, std::FILE* out) {
  PrintNow(out);
  PrintHead(machine, out);
  for (const Card& card : machine.cards) PrintCard(card, machine, out);
  PrintProcesses(machine, out);
}

void PrintList(const Machine& machine, std::FILE* out) {
  for (const Card& card : machine.cards) {
    std::fprintf(out, "GPU %u: %s (UUID: %s)\n", card.index, card.name.c_str(), card.uuid.c_str());
  }
}

}  // namespace simgpu::smi
