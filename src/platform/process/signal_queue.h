// Signals as something to wait for. While a queue lives, its signals are blocked in the calling
// thread and come out of Next() instead; everything else about them stays as it was. For programs
// of one thread.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <initializer_list>
#include <optional>

#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::platform {

struct Signal {
  int number;
  bool from_kernel;  // the terminal driver, say; false: some process sent it
  pid_t sender;      // 0 from the kernel
};

class SignalQueue {
 public:
  static Result<SignalQueue> Open(std::initializer_list<int> signals);
  SignalQueue(SignalQueue&&) = default;
  ~SignalQueue();

  // Waits for the next one; none when `milliseconds` (-1: no limit) have passed, or as soon as
  // `also` (-1: nothing else) can be read.
  std::optional<Signal> Next(int milliseconds = -1, int also = -1) const;

  // The mask before the queue, for a child to take up.
  const sigset_t& original_mask() const { return original_mask_; }

 private:
  SignalQueue(Descriptor file, const sigset_t& original_mask)
      : file_(std::move(file)), original_mask_(original_mask) {}

  Descriptor file_;
  sigset_t original_mask_;
};

// Stops this process the way SIGTSTP, SIGTTIN or SIGTTOU would if it were not in a queue, until it
// is continued. Where no shell could continue it (an orphaned process group), nothing happens.
void StopAsJob(int stop_signal);

}  // namespace warpshare::platform
