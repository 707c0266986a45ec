#include "platform/process/foreground.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "platform/process/signal_queue.h"

namespace warpshare::platform {

namespace {

struct Child {
  pid_t pid;
  int exec_errno;  // 0: the program runs
};

[[noreturn]] void BecomeProgram(const ForegroundCommand& command, const SignalQueue& signals,
                                const struct sigaction& original_sigchld, int report_fd) {
  sigaction(SIGCHLD, &original_sigchld, nullptr);
  sigprocmask(SIG_SETMASK, &signals.original_mask(), nullptr);
  Change(command.environment);
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int exec_errno = errno;
  // Nothing to do if this fails: the parent then takes the exit code for the program's.
  [[maybe_unused]] const ssize_t put = write(report_fd, &exec_errno, sizeof(exec_errno));
  _exit(127);
}

Result<Child> Start(const ForegroundCommand& command, const SignalQueue& signals,
                    const struct sigaction& original_sigchld) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail(SystemError("cannot make a pipe", errno));
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t pid = fork();
  if (pid < 0) return Fail(SystemError("cannot start another process", errno));
  if (pid == 0) BecomeProgram(command, signals, original_sigchld, writing.get());
  writing.Close();
  int exec_errno = 0;
  ssize_t got;
  do got = read(reading.get(), &exec_errno, sizeof(exec_errno));
  while (got < 0 && errno == EINTR);
  return Child{.pid = pid, .exec_errno = got == sizeof(exec_errno) ? exec_errno : 0};
}

Failure NotStarted(const std::string& program, int exec_errno) {
  if (exec_errno == ENOENT)
    return Fail(Errc::kNotFound, "cannot find the program '" + program +
                                     "': check its spelling, its interpreter and PATH");
  if (exec_errno == EACCES)
    return Fail(Errc::kNotRunnable, "may not run '" + program + "': is it a program (chmod +x)?");
  return Fail(Errc::kNotRunnable, "cannot run '" + program + "': " + std::strerror(exec_errno));
}

bool IsJobStop(int signal) { return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU; }

// Takes note of what became of the child; its exit code once it has ended.
std::optional<int> Collect(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, WNOHANG | WUNTRACED) == child) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    if (WIFSTOPPED(status) && IsJobStop(WSTOPSIG(status))) StopAsJob(WSTOPSIG(status));
  }
  return std::nullopt;
}

bool ReachedTheChildToo(const Signal& signal, pid_t child) {
  return signal.from_kernel && getpgid(child) == getpgrp();
}

int Accompany(pid_t child, const SignalQueue& signals) {
  while (true) {
    const auto signal = signals.Next();
    if (!signal) continue;
    if (signal->number == SIGCHLD) {
      if (const auto exit_code = Collect(child)) return *exit_code;
    } else if (!ReachedTheChildToo(*signal, child) && signal->sender != child) {
      // What the program sends to its parent is not meant for itself.
      kill(child, signal->number);
    }
  }
}

}  // namespace

Result<int> RunInForeground(const ForegroundCommand& command) {
  // Ignored by our parent, perhaps: then no child's end could be waited for.
  struct sigaction original_sigchld;
  struct sigaction with_default = {};
  with_default.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &with_default, &original_sigchld);

  const auto signals = SignalQueue::Open(
      {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT});
  if (!signals) return Fail(signals.error());
  const auto child = Start(command, *signals, original_sigchld);
  if (!child) return Fail(child.error());
  if (child->exec_errno != 0) {
    waitpid(child->pid, nullptr, 0);
    return NotStarted(command.arguments[0], child->exec_errno);
  }
  return Accompany(child->pid, *signals);
}

}  // namespace warpshare::platform
