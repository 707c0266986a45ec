#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "simgpu/smi/library.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

constexpr int kCannotWrite = 1;
constexpr int kWrongCommandLine = 2;

// Keeps the wanted cards. False and a message: an id that names none.
bool Select(const std::vector<std::string>& ids, Machine* machine) {
  if (ids.empty()) return true;
  std::vector<Card> wanted;
  for (const std::string& id : ids) {
    const size_t before = wanted.size();
    for (const Card& card : machine->cards) {
      if (IsNamed(card, id)) wanted.push_back(card);
    }
    if (wanted.size() == before) {
      std::fprintf(stderr, "simgpu-smi: no card is named \"%s\"; see simgpu-smi -L\n", id.c_str());
      return false;
    }
  }
  machine->cards = std::move(wanted);
  return true;
}

void Print(const Options& options, const Machine& machine, std::FILE* out) {
  switch (options.report) {
    case Report::kList:
      return PrintList(machine, out);
    case Report::kDetails:
      return options.xml ? PrintXml(machine, options.sections, out)
                         : PrintDetails(machine, options.sections, out);
    case Report::kTopology:
      return PrintTopology(machine, out);
    case Report::kCards:
      return PrintCsvCards(machine, options, out);
    case Report::kProcesses:
      return PrintCsvProcesses(machine, options, out);
    case Report::kCardMonitor:
      return PrintCardMonitor(machine, options, out);
    case Report::kProcessMonitor:
      return PrintProcessMonitor(machine, options, out);
    case Report::kVersion:
      return PrintVersions(machine, out);
    default:
      return PrintTable(machine, out);
  }
}

// What stands once above all rounds.
void PrintHeader(const Options& options, std::FILE* out) {
  const Report report = options.report;
  if (report == Report::kCards || report == Report::kProcesses) {
    if (options.header) PrintCsvHeader(options, out);
  } else if (report == Report::kCardMonitor || report == Report::kProcessMonitor) {
    PrintMonitorHeader(options, out);
  }
}

int Run(const Options& options, const Nvml& nvml, std::FILE* out) {
  PrintHeader(options, out);
  for (unsigned round = 1;; ++round) {
    Machine machine = ReadMachine(nvml);
    if (!Select(options.cards, &machine)) return NVML_ERROR_NOT_FOUND;
    Print(options, machine, out);
    if (std::fflush(out) != 0) return kCannotWrite;
    if (options.loop_ms == 0 || round == options.rounds) return 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(options.loop_ms));
  }
}

int Start(const Options& options) {
  Nvml nvml;
  std::string error;
  if (!LoadNvml(&nvml, &error)) {
    std::fprintf(stderr, "simgpu-smi: %s\n", error.c_str());
    return NVML_ERROR_LIBRARY_NOT_FOUND;
  }
  if (const nvmlReturn_t result = nvml.nvmlInit_v2(); result != NVML_SUCCESS) {
    std::fprintf(stderr, "simgpu-smi: NVML cannot be initialised: %s\n",
                 nvml.nvmlErrorString == nullptr ? "?" : nvml.nvmlErrorString(result));
    return result;
  }
  if (options.file.empty()) return Run(options, nvml, stdout);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(options.file.c_str(), "w"),
                                                             &std::fclose);
  if (file != nullptr) return Run(options, nvml, file.get());
  std::fprintf(stderr, "simgpu-smi: cannot write %s: %m\n", options.file.c_str());
  return kCannotWrite;
}

int Main(std::span<const char* const> arguments) {
  const auto [options, parse_error] = ParseOptions(arguments);
  std::string error = parse_error;
  if (error.empty()) error = CheckFields(options);
  if (error.empty()) error = CheckMetrics(options);
  if (!error.empty()) {
    std::fprintf(stderr, "simgpu-smi: %s\n", error.c_str());
    return kWrongCommandLine;
  }
  if (options.report == Report::kHelp) PrintHelp(stdout);
  if (options.report == Report::kHelpFields) PrintFields(stdout);
  const bool help = options.report == Report::kHelp || options.report == Report::kHelpFields;
  return help ? 0 : Start(options);
}

}  // namespace
}  // namespace simgpu::smi

int main(int argc, char** argv) {
  return simgpu::smi::Main(
      {const_cast<const char* const*>(argv) + 1, static_cast<size_t>(argc - 1)});
}
