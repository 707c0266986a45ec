#include "interposer/log/log.h"

#include <stdlib.h>

#include "abi/names/env.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer::log {

constinit std::atomic<uint8_t> g_threshold = 0;

namespace {

constexpr uint8_t kOff = 1;

// Complete before g_threshold rises above kOff. Threads that race for it write the same bytes over
// each other's.
constinit char g_path[guest::kMaxPath] = {};

uint8_t ThresholdOf(const char* level) {
  if (guest::SameText(level, "error")) return 1 + static_cast<uint8_t>(Level::kError);
  if (guest::SameText(level, "info")) return 1 + static_cast<uint8_t>(Level::kInfo);
  if (guest::SameText(level, "trace")) return 1 + static_cast<uint8_t>(Level::kTrace);
  return 0;
}

// FILE or FILE:LEVEL; a colon followed by no level belongs to the file's name.
uint8_t ReadSetting() {
  const char* setting = secure_getenv(abi::kEnvLog);
  if (setting == nullptr || setting[0] == '\0') return kOff;
  size_t length = guest::LengthOf(setting);
  uint8_t threshold = 1 + static_cast<uint8_t>(Level::kInfo);
  for (size_t i = length; i > 0; --i) {
    if (setting[i - 1] != ':') continue;
    if (const uint8_t named = ThresholdOf(setting + i); named != 0) {
      threshold = named;
      length = i - 1;
    }
    break;
  }
  if (length == 0 || length >= sizeof(g_path)) return kOff;
  for (size_t i = 0; i < length; ++i) g_path[i] = setting[i];
  g_path[length] = '\0';
  return threshold;
}

const char* NameOf(Level level) {
  if (level == Level::kError) return " error ";
  return level == Level::kInfo ? " info " : " trace ";
}

}  // namespace

bool ReadThresholdAndCompare(Level level) {
  const uint8_t threshold = ReadSetting();
  g_threshold.store(threshold, std::memory_order_release);
  return threshold > static_cast<uint8_t>(level);
}

Line::Line(Level level) : TextBuffer(storage_, sizeof(storage_)) {
  const uint64_t now = guest::NanosecondsOf(CLOCK_REALTIME);
  AddNumber(now / 1'000'000'000).Add('.').AddPadded(now / 1000 % 1'000'000, 6);
  Add(" pid ").AddNumber(static_cast<uint64_t>(guest::ProcessId()));
  Add(" thread ").AddNumber(static_cast<uint64_t>(guest::ThreadId()));
  Add(NameOf(level));
}

Line::~Line() {
  if (was_cut()) storage_[length() - 1] = '>';
  const int fd = guest::Open(g_path, O_WRONLY | O_APPEND | O_CREAT, 0644);
  if (fd < 0) return;
  storage_[length()] = '\n';  // over the terminating zero
  guest::Write(fd, storage_, length() + 1);
  guest::Close(fd);
}

}  // namespace warpshare::interposer::log
