// While it lives, this thread takes none of the program's signals, nor does any thread that is
// started meanwhile, for as long as that one lives: they go to the program's own threads. For calls
// into a library that keeps threads, as NVML 580 does: one of those would take the SIGCHLD or
// SIGTERM that the program waits for.
#pragma once

#include <signal.h>

#include <cstdint>
#include <initializer_list>

#include "interposer/guest/kernel.h"

namespace warpshare::guest {

class QuietSignals {
 public:
  QuietSignals() { SetMask(SIG_BLOCK, &kMask, &before_); }
  ~QuietSignals() { SetMask(SIG_SETMASK, &before_, nullptr); }
  QuietSignals(const QuietSignals&) = delete;
  QuietSignals& operator=(const QuietSignals&) = delete;

 private:
  // Not what a thread's own fault raises; and not the C library's two, which setuid and the end of
  // a thread wait for.
  static constexpr uint64_t kMask = [] {
    uint64_t mask = ~uint64_t{0};
    for (const int signal : {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, 32, 33})
      mask &= ~(uint64_t{1} << (signal - 1));
    return mask;
  }();

  static void SetMask(int how, const uint64_t* mask, uint64_t* before) {
    SystemCall(SYS_rt_sigprocmask, how, Word(mask), Word(before), sizeof(uint64_t));
  }

  uint64_t before_ = 0;
};

}  // namespace warpshare::guest
