#include "platform/log_file/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

namespace warpshare::platform {

namespace {

Result<Descriptor> OpenForAppending(const std::string& path) {
  return OpenFile(path, O_WRONLY | O_APPEND | O_CREAT, S_IRUSR | S_IWUSR);
}

std::string TimeText() {
  const time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof("2026-01-31T23:59:59Z ")];
  const size_t length = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ ", &parts);
  return std::string(text, length);
}

}  // namespace

Result<LogFile> LogFile::Open(const std::string& path) {
  auto file = OpenForAppending(path);
  if (!file) return Forward(file);
  return LogFile(path, std::move(*file));
}

void LogFile::Line(std::string_view text) {
  const std::string line = TimeText() + std::string(text) + '\n';
  if (!file_.is_open()) {
    fputs(line.c_str(), stderr);
    return;
  }
  struct stat status = {};
  if (fstat(file_.get(), &status) == 0 && status.st_size >= kMostBytes) BeginNew();
  (void)WriteAll(file_, line);
}

void LogFile::BeginNew() {
  const std::string before = path_ + ".1";
  if (rename(path_.c_str(), before.c_str()) != 0) return;
  if (auto file = OpenForAppending(path_)) file_ = std::move(*file);
}

}  // namespace warpshare::platform
