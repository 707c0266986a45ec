// -q -x: the details in the elements that readers of nvidia-smi's XML look for.
#include "simgpu/smi/details.h"
#include "simgpu/smi/facts.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '&') {
      escaped += "&amp;";
    } else if (letter == '<') {
      escaped += "&lt;";
    } else if (letter == '>') {
      escaped += "&gt;";
    } else if (letter == '"') {
      escaped += "&quot;";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

class Writer {
 public:
  explicit Writer(std::FILE* out) : out_(out) {}

  void Open(std::string_view element, std::string_view attributes = {}) {
    Indent();
    std::fprintf(out_, "<%s%s>\n", std::string(element).c_str(), std::string(attributes).c_str());
    open_.emplace_back(element);
  }

  void Close() {
    const std::string element = open_.back();
    open_.pop_back();
    Indent();
    std::fprintf(out_, "</%s>\n", element.c_str());
  }

  void CloseTo(size_t depth) {
    while (open_.size() > depth) Close();
  }

  void Write(std::string_view element, std::string_view value) {
    const std::string name(element);
    Indent();
    std::fprintf(out_, "<%s>%s</%s>\n", name.c_str(), Escape(value).c_str(), name.c_str());
  }

 private:
  void Indent() {
    for (size_t i = 0; i < open_.size(); ++i) std::fputc('\t', out_);
  }

  std::FILE* out_;
  std::vector<std::string> open_;
};

constexpr size_t kCardDepth = 2;  // the log and the card are open

void WriteDetails(const Card& card, const Machine& machine,
                  const std::vector<std::string>& sections, Writer* writer) {
  for (const Detail& detail : AllDetails()) {
    if (!IsWanted(detail.section, sections)) continue;
    writer->CloseTo(kCardDepth + static_cast<size_t>(detail.depth) - 1);
    if (detail.fact.empty()) {
      writer->Open(detail.element);
    } else {
      writer->Write(detail.element, Value(detail, card, machine));
    }
  }
  writer->CloseTo(kCardDepth);
}

void WriteProcesses(const Card& card, Writer* writer) {
  writer->Open("processes");
  for (const Process& process : ProcessesOn(card)) {
    writer->Open("process_info");
    writer->Write("gpu_instance_id", "N/A");
    writer->Write("compute_instance_id", "N/A");
    writer->Write("pid", std::to_string(process.pid));
    writer->Write("type", "C");
    writer->Write("process_name", process.name);
    writer->Write("used_memory", process.used_mib == "N/A" ? "N/A" : process.used_mib + " MiB");
    writer->Close();
  }
  writer->Close();
}

}  // namespace

void PrintXml(const Machine& machine, const std::vector<std::string>& sections, std::FILE* out) {
  std::fputs("<?xml version=\"1.0\" ?>\n", out);
  std::fputs("<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n", out);
  Writer writer(out);
  writer.Open("nvidia_smi_log");
  writer.Write("timestamp", TimeStamp());
  writer.Write("driver_version", machine.driver_version);
  writer.Write("cuda_version", machine.cuda_version);
  writer.Write("attached_gpus", std::to_string(machine.cards.size()));
  for (const Card& card : machine.cards) {
    writer.Open("gpu", " id=\"" + Escape(card.pci.busId) + "\"");
    WriteDetails(card, machine, sections, &writer);
    if (IsWanted("PIDS", sections)) WriteProcesses(card, &writer);
    writer.Close();
  }
  writer.Close();
}

}  // namespace simgpu::smi
