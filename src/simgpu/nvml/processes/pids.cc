#include "simgpu/nvml/processes/pids.h"

#include <sys/stat.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace simgpu::nvml {
namespace {

constexpr uint64_t kOutermost = 0xEFFF'FFFC;  // the kernel's number of the first pid namespace
constexpr unsigned kBeyondAllPids = 4'194'304;

uint64_t NamespaceOf(const std::string& process_folder) {
  struct stat info{};
  return stat((process_folder + "/ns/pid").c_str(), &info) == 0 ? info.st_ino : 0;
}

// The last number of the line "NSpid:" in /proc/<pid>/status: the pid the process knows itself by.
int InnermostPid(const std::string& process_folder) {
  constexpr std::string_view kKey = "NSpid:";
  std::ifstream file(process_folder + "/status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kKey)) continue;
    const size_t last = line.find_last_of("\t ");
    return last == std::string::npos ? 0 : std::atoi(line.c_str() + last + 1);
  }
  return 0;
}

// Of all processes that can be seen, the one that is `pid` in that namespace.
unsigned FindInNamespace(int pid, uint64_t pid_namespace) {
  std::error_code error;
  std::filesystem::directory_iterator entry("/proc", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename();
    unsigned visible = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), visible);
    if (bad != std::errc() || end != name.data() + name.size()) continue;
    if (NamespaceOf(entry->path()) == pid_namespace && InnermostPid(entry->path()) == pid) {
      return visible;
    }
  }
  return 0;
}

}  // namespace

unsigned VisiblePid(const world::ProcessUse& process) {
  if (process.pid_namespace == NamespaceOf("/proc/self")) {
    return static_cast<unsigned>(process.pid);
  }
  return FindInNamespace(process.pid, process.pid_namespace);
}

unsigned SampledPid(const world::ProcessUse& process, world::UtilizationPids pids) {
  const bool is_outside = NamespaceOf("/proc/self") == kOutermost;
  if (pids == world::UtilizationPids::kContainer || is_outside) return VisiblePid(process);
  const auto pid = static_cast<unsigned>(process.pid);
  return process.pid_namespace == kOutermost ? pid : kBeyondAllPids + pid;
}

}  // namespace simgpu::nvml
