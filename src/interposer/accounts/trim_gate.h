// Keeps the launches of graphs and the trimming of their memory apart. Launches do not keep each
// other out, and wait for a trim, which is one call of the driver; a trim waits for the launches in
// flight a tenth of a second at most, as a launch may wait for whoever wants to trim, and then goes
// ahead. Zeroed memory is an open gate.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

class TrimGate {
 public:
  void BeginLaunch() {
    uint32_t state = state_.load(std::memory_order_relaxed);
    while (state >= kTrim ||
           !state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire)) {
      if (state < kTrim) continue;
      Pause();
      state = state_.load(std::memory_order_relaxed);
    }
  }
  void EndLaunch() { state_.fetch_sub(1, std::memory_order_release); }

  void BeginTrim() {
    constexpr int kPauses = 2000;
    uint32_t none = 0;
    for (int i = 0; i < kPauses; ++i, none = 0) {
      if (state_.compare_exchange_strong(none, kTrim, std::memory_order_acquire)) return;
      Pause();
    }
    state_.fetch_add(kTrim, std::memory_order_acquire);
  }
  void EndTrim() { state_.fetch_sub(kTrim, std::memory_order_release); }

 private:
  // A trim; below it, launches are counted.
  static constexpr uint32_t kTrim = uint32_t{1} << 20;

  static void Pause() {
    constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 50'000};
    guest::SystemCall(SYS_nanosleep, guest::Word(&kPause));
  }

  std::atomic<uint32_t> state_;
};

}  // namespace warpshare::interposer
