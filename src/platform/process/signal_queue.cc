#include "platform/process/signal_queue.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

namespace warpshare::platform {

Result<SignalQueue> SignalQueue::Open(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  Descriptor file(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!file.is_open()) return Fail(SystemError("cannot wait for signals", errno));
  sigset_t original;
  sigprocmask(SIG_BLOCK, &set, &original);
  return SignalQueue(std::move(file), original);
}

SignalQueue::~SignalQueue() {
  if (file_.is_open()) sigprocmask(SIG_SETMASK, &original_mask_, nullptr);
}

std::optional<Signal> SignalQueue::Next(int milliseconds, int also) const {
  struct pollfd ready[] = {{file_.get(), POLLIN, 0}, {also, POLLIN, 0}};
  if (poll(ready, 2, milliseconds) <= 0) return std::nullopt;
  struct signalfd_siginfo information;
  if (read(file_.get(), &information, sizeof(information)) !=
      static_cast<ssize_t>(sizeof(information)))
    return std::nullopt;
  return Signal{.number = static_cast<int>(information.ssi_signo),
                .from_kernel = information.ssi_code > 0,
                .sender = static_cast<pid_t>(information.ssi_pid)};
}

void StopAsJob(int stop_signal) {
  // While it is blocked, one that the terminal sent and that still waits, and this one, are one.
  raise(stop_signal);
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  sigaddset(&set, stop_signal);
  sigprocmask(SIG_UNBLOCK, &set, &before);  // stops here, until SIGCONT
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace warpshare::platform
