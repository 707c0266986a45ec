// --query-gpu and --query-compute-apps.
#include "simgpu/smi/facts.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

// What can be asked of a process. About its card it is asked by the names of facts.
struct ProcessField {
  std::string_view name;
  std::string_view alias;
  std::string_view unit;
  std::string (*read)(const Process& process);
};

constexpr ProcessField kProcessFields[] = {
    {"pid", "", "", [](const Process& process) { return std::to_string(process.pid); }},
    {"process_name", "name", "", [](const Process& process) { return process.name; }},
    {"used_gpu_memory", "used_memory", "MiB",
     [](const Process& process) { return process.used_mib; }},
};

constexpr std::string_view kCardFields[] = {"timestamp",  "gpu_name", "gpu_bus_id",
                                            "gpu_serial", "gpu_uuid", "gpu_index"};

const ProcessField* FindProcessField(std::string_view name) {
  for (const ProcessField& field : kProcessFields) {
    if (field.name == name || (!field.alias.empty() && field.alias == name)) return &field;
  }
  return nullptr;
}

const Fact* FindCardField(std::string_view name) {
  for (const std::string_view known : kCardFields) {
    if (known == name) return FindFact(name == "gpu_index" ? "index" : name);
  }
  return nullptr;
}

// "memory.total [MiB]"
std::string Heading(const std::string& name, std::string_view unit, bool units) {
  return unit.empty() || !units ? name : name + " [" + std::string(unit) + "]";
}

std::string HeadingOf(const std::string& name, const Options& options) {
  if (options.report == Report::kProcesses) {
    const ProcessField* const field = FindProcessField(name);
    return Heading(name, field == nullptr ? "" : field->unit, options.units);
  }
  return Heading(name, FindFact(name)->unit, options.units);
}

std::string CardValue(const Fact& fact, const Card& card, const Machine& machine, bool units) {
  if (units) return Show(fact, card, machine);
  return fact.read(card, machine).value_or("[N/A]");
}

std::string ProcessValue(const ProcessField& field, const Process& process, bool units) {
  const std::string value = field.read(process);
  if (value == "N/A") return "[N/A]";
  return units && !field.unit.empty() ? value + " " + std::string(field.unit) : value;
}

template <typename ValueOf>
void PrintLine(const Options& options, std::FILE* out, ValueOf value_of) {
  const char* separator = "";
  for (const std::string& name : options.fields) {
    std::fprintf(out, "%s%s", separator, value_of(name).c_str());
    separator = ", ";
  }
  std::fputc('\n', out);
}

}  // namespace

std::string CheckFields(const Options& options) {
  for (const std::string& name : options.fields) {
    const bool known = options.report == Report::kProcesses
                           ? FindProcessField(name) != nullptr || FindCardField(name) != nullptr
                           : FindFact(name) != nullptr;
    if (!known) return "Field \"" + name + "\" is not a valid field to query.";
  }
  return {};
}

void PrintCsvHeader(const Options& options, std::FILE* out) {
  PrintLine(options, out, [&](const std::string& name) { return HeadingOf(name, options); });
}

void PrintCsvCards(const Machine& machine, const Options& options, std::FILE* out) {
  for (const Card& card : machine.cards) {
    PrintLine(options, out, [&](const std::string& name) {
      return CardValue(*FindFact(name), card, machine, options.units);
    });
  }
}

void PrintCsvProcesses(const Machine& machine, const Options& options, std::FILE* out) {
  for (const Card& card : machine.cards) {
    for (const Process& process : ProcessesOn(card)) {
      PrintLine(options, out, [&](const std::string& name) {
        const ProcessField* const field = FindProcessField(name);
        return field != nullptr ? ProcessValue(*field, process, options.units)
                                : CardValue(*FindCardField(name), card, machine, options.units);
      });
    }
  }
}

}  // namespace simgpu::smi
