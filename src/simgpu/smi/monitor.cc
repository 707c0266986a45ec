// dmon and pmon: a line for each card, or process, and round. What is not known is a '-'.
#include <chrono>
#include <cstdlib>

#include "simgpu/smi/facts.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

constexpr int kWidth = 7;

struct Column {
  char metric;  // as -s names the group
  const char* heading;
  const char* unit;
  std::string_view fact;  // empty: never known
};

constexpr Column kCardColumns[] = {
    {'p', "pwr", "W", "power.draw"},
    {'p', "gtemp", "C", "temperature.gpu"},
    {'p', "mtemp", "C", "temperature.memory"},
    {'u', "sm", "%", "utilization.gpu"},
    {'u', "mem", "%", "utilization.memory"},
    {'u', "enc", "%", "utilization.encoder"},
    {'u', "dec", "%", "utilization.decoder"},
    {'u', "jpg", "%", "utilization.jpeg"},
    {'u', "ofa", "%", "utilization.ofa"},
    {'c', "mclk", "MHz", "clocks.current.memory"},
    {'c', "pclk", "MHz", "clocks.current.graphics"},
    {'v', "pviol", "%", ""},
    {'v', "tviol", "bool", ""},
    {'m', "fb", "MB", "memory.used"},
    {'m', "bar1", "MB", "bar1.used"},
    {'m', "ccpm", "MB", ""},
    {'e', "sbecc", "errs", "ecc.errors.corrected.aggregate.total"},
    {'e', "dbecc", "errs", "ecc.errors.uncorrected.aggregate.total"},
    {'e', "pci", "errs", "pcie.replays"},
    {'t', "rxpci", "MB/s", "pcie.rx"},
    {'t', "txpci", "MB/s", "pcie.tx"},
};

struct ProcessColumn {
  char metric;
  const char* heading;
  const char* unit;
  std::string (*read)(const Process& process);
};

std::string Known(const std::optional<unsigned>& value) {
  return value ? std::to_string(*value) : "-";
}

constexpr ProcessColumn kProcessColumns[] = {
    {'u', "sm", "%", [](const Process& process) { return Known(process.use.sm); }},
    {'u', "mem", "%", [](const Process& process) { return Known(process.use.memory); }},
    {'u', "enc", "%", [](const Process& process) { return Known(process.use.encoder); }},
    {'u', "dec", "%", [](const Process& process) { return Known(process.use.decoder); }},
    {'u', "jpg", "%", [](const Process&) -> std::string { return "-"; }},
    {'u', "ofa", "%", [](const Process&) -> std::string { return "-"; }},
    {'m', "fb", "MB",
     [](const Process& process) {
       return process.used_mib == "N/A" ? std::string("-") : process.used_mib;
     }},
    {'m', "ccpm", "MB", [](const Process&) -> std::string { return "-"; }},
};

bool Has(const std::string& letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

// Whole numbers, as a column has no room for more; throughput comes in KB/s.
std::string CardValue(const Column& column, const Card& card, const Machine& machine) {
  if (column.fact.empty()) return "-";
  const std::optional<std::string> value = FindFact(column.fact)->read(card, machine);
  if (!value) return "-";
  if (column.metric == 't') return std::to_string(std::strtoul(value->c_str(), nullptr, 10) / 1000);
  return value->substr(0, value->find('.'));
}

void PrintCell(const std::string& value, std::FILE* out) {
  std::fprintf(out, "%*s", kWidth, value.c_str());
}

// The columns before the card's number, of -o.
void PrintStamp(const std::string& stamp, const char* date, const char* time, std::FILE* out) {
  if (Has(stamp, 'D')) std::fprintf(out, "%-9s", date);
  if (Has(stamp, 'T')) std::fprintf(out, "%-9s", time);
}

// The beginning of a line with values.
void PrintBegin(const Card& card, const Options& options, std::FILE* out) {
  const std::string now = TimeStamp();  // 2025/09/14 20:01:02.345
  const std::string date = now.substr(0, 4) + now.substr(5, 2) + now.substr(8, 2);
  std::fputc(' ', out);
  PrintStamp(options.stamp, date.c_str(), now.substr(11, 8).c_str(), out);
  std::fprintf(out, "%4u", card.index);
}

template <typename Columns, typename TextOf>
void PrintHeading(const Columns& columns, const Options& options, TextOf text_of, std::FILE* out) {
  for (const auto& column : columns) {
    if (Has(options.metrics, column.metric)) PrintCell(text_of(column), out);
  }
}

const char* Base(const std::string& path) {
  const size_t slash = path.rfind('/');
  return path.c_str() + (slash == std::string::npos ? 0 : slash + 1);
}

void PrintProcess(const Card& card, const Process* process, const Options& options,
                  std::FILE* out) {
  PrintBegin(card, options, out);
  std::fprintf(out, "%12s%7s", process == nullptr ? "-" : std::to_string(process->pid).c_str(),
               process == nullptr ? "-" : "C");
  for (const ProcessColumn& column : kProcessColumns) {
    if (!Has(options.metrics, column.metric)) continue;
    PrintCell(process == nullptr ? "-" : column.read(*process), out);
  }
  std::fprintf(out, "    %s\n", process == nullptr ? "-" : Base(process->name));
}

}  // namespace

std::string CheckMetrics(const Options& options) {
  const bool of_cards = options.report == Report::kCardMonitor;
  const std::string known = of_cards ? "pucvmet" : "um";
  for (const char metric : options.metrics) {
    if (!Has(known, metric)) {
      return std::string("-s takes letters of \"") + known + "\", not \"" + metric + "\"";
    }
  }
  return {};
}

void PrintMonitorHeader(const Options& options, std::FILE* out) {
  const bool of_cards = options.report == Report::kCardMonitor;
  for (const bool is_unit : {false, true}) {
    std::fputc('#', out);
    PrintStamp(options.stamp, is_unit ? "YYYYMMDD" : "Date", is_unit ? "HH:MM:SS" : "Time", out);
    std::fputs(is_unit ? " Idx" : " gpu", out);
    const auto text_of = [is_unit](const auto& column) {
      return is_unit ? column.unit : column.heading;
    };
    if (of_cards) {
      PrintHeading(kCardColumns, options, text_of, out);
      std::fputc('\n', out);
      continue;
    }
    std::fprintf(out, "%12s%7s", is_unit ? "#" : "pid", is_unit ? "C/G" : "type");
    PrintHeading(kProcessColumns, options, text_of, out);
    std::fputs(is_unit ? "    name\n" : "    command\n", out);
  }
}

void PrintCardMonitor(const Machine& machine, const Options& options, std::FILE* out) {
  for (const Card& card : machine.cards) {
    PrintBegin(card, options, out);
    for (const Column& column : kCardColumns) {
      if (Has(options.metrics, column.metric)) PrintCell(CardValue(column, card, machine), out);
    }
    std::fputc('\n', out);
  }
}

void PrintProcessMonitor(const Machine& machine, const Options& options, std::FILE* out) {
  for (const Card& card : machine.cards) {
    std::vector<Process> processes = ProcessesOn(card);
    ReadUse(card, std::chrono::milliseconds(options.loop_ms), &processes);
    for (const Process& process : processes) PrintProcess(card, &process, options, out);
    if (processes.empty()) PrintProcess(card, nullptr, options, out);
  }
}

}  // namespace simgpu::smi
