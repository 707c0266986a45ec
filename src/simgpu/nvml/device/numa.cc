#include "simgpu/nvml/device/numa.h"

#include <charconv>
#include <fstream>
#include <string>

namespace simgpu::nvml {
namespace {

constexpr unsigned kMaxCpus = 1 << 16;  // no kernel has more

std::vector<unsigned> ReadCpuList(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return ParseCpuList(line);
}

// The number `text` starts with, which is taken off it; kMaxCpus when it starts with none.
unsigned TakeNumber(std::string_view* text) {
  unsigned number = kMaxCpus;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc()) return kMaxCpus;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return number;
}

}  // namespace

std::vector<unsigned> ParseCpuList(std::string_view text) {
  std::vector<unsigned> cpus;
  while (!text.empty()) {
    const unsigned first = TakeNumber(&text);
    unsigned last = first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      last = TakeNumber(&text);
    }
    for (unsigned cpu = first; cpu <= last && last < kMaxCpus; ++cpu) cpus.push_back(cpu);
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
  }
  return cpus;
}

std::vector<unsigned> CpusOnline() { return ReadCpuList("/sys/devices/system/cpu/online"); }

std::vector<unsigned> CpusNear(int numa_node) {
  std::vector<unsigned> cpus;
  if (numa_node >= 0) {
    cpus = ReadCpuList("/sys/devices/system/node/node" + std::to_string(numa_node) + "/cpulist");
  }
  return cpus.empty() ? CpusOnline() : cpus;
}

}  // namespace simgpu::nvml
