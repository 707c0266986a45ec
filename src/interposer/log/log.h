// The trace that WARPSHARE_LOG=FILE[:error|info|trace] asks for. Each line is one write(2) of a
// file opened for it, so no descriptor is kept that the program could close or take over; nothing
// is ever written to stderr.
//
//   if (log::IsOn(log::Level::kTrace)) log::Line(log::Level::kTrace).Add("cuMemAlloc
//   ").AddNumber(bytes);
//
// Off, IsOn() is one load and a compare.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/guest/text.h"

namespace warpshare::interposer::log {

enum class Level : uint8_t {
  kError =
      1,  // why a call was refused that should not have been: a broken tenant directory, no driver
  kInfo = 2,   // rare events: session opened, driver found, slot given back, refusals
  kTrace = 3,  // every charge and give-back
};

// 0: the environment was not read yet; 1 + n: lines up to level n are written.
extern std::atomic<uint8_t> g_threshold;
bool ReadThresholdAndCompare(Level level);

inline bool IsOn(Level level) {
  const uint8_t threshold = g_threshold.load(std::memory_order_relaxed);
  if (threshold == 0) [[unlikely]]
    return ReadThresholdAndCompare(level);
  return threshold > static_cast<uint8_t>(level);
}

// Collects one line and writes it when it goes out of scope, with time, pid and thread before it.
class Line : public guest::TextBuffer {
 public:
  explicit Line(Level level);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

 private:
  char storage_[512];
};

// One finished sentence; costs nothing when `level` is off.
inline void Say(Level level, const char* sentence) {
  if (IsOn(level)) Line(level).Add(sentence);
}

}  // namespace warpshare::interposer::log
