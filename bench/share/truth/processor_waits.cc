#include "bench/share/truth/processor_waits.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace warpshare::bench {

namespace {

constexpr uint64_t kLooksBetweenFinds = 20;  // a tenth of a second, at 5 ms a look

// "ran waited slices"; nothing: the thread has ended.
std::optional<uint64_t> ReadWaitedNs(int file) {
  std::array<char, 96> text{};
  if (pread(file, text.data(), text.size() - 1, 0) <= 0) return std::nullopt;
  char* after_ran = nullptr;
  (void)strtoull(text.data(), &after_ran, 10);
  return strtoull(after_ran, nullptr, 10);
}

}  // namespace

ProcessorWaits::~ProcessorWaits() {
  for (const auto& [id, thread] : threads_) close(thread.file);
}

void ProcessorWaits::Find(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) {
    std::error_code error;
    const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
      const pid_t id = atoi(task.path().filename().c_str());
      if (threads_.contains(id)) continue;
      const int file = open((task.path() / "schedstat").c_str(), O_RDONLY | O_CLOEXEC);
      if (file < 0) continue;
      threads_[id] = {.file = file, .waited_ns = ReadWaitedNs(file).value_or(0)};
    }
  }
}

void ProcessorWaits::Look(const std::vector<pid_t>& processes, uint64_t now_ns) {
  uint64_t waited_ns = 0;
  for (auto at = threads_.begin(); at != threads_.end();) {
    const std::optional<uint64_t> all_ns = ReadWaitedNs(at->second.file);
    if (!all_ns) {
      close(at->second.file);
      at = threads_.erase(at);
      continue;
    }
    waited_ns += *all_ns - at->second.waited_ns;
    at->second.waited_ns = *all_ns;
    ++at;
  }
  if (waited_ns != 0)
    series_.Add(BusySeries({{.from_ns = last_look_ns_, .to_ns = now_ns, .busy_ns = waited_ns}}));
  if (looks_++ % kLooksBetweenFinds == 0) Find(processes);
  last_look_ns_ = now_ns;
}

}  // namespace warpshare::bench
