#include "platform/process/detached.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr unsigned kCloseRange = 436;  // Linux 5.9; declared here for older headers
constexpr int kUsualMostDescriptors = 1024;

void CloseFrom(int first) {
  if (syscall(kCloseRange, first, UINT_MAX, 0) == 0) return;
  for (int fd = first; fd < kUsualMostDescriptors; ++fd) close(fd);
}

// Everything is allocated by now: only system calls from here on.
[[noreturn]] void Become(char* const* arguments, const Descriptor& output, const Descriptor& null,
                         const Descriptor& ready) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  // None of the four stands where another is to go: all were opened above the last of them.
  dup2(null.get(), STDIN_FILENO);
  dup2(output.get(), STDOUT_FILENO);
  dup2(output.get(), STDERR_FILENO);
  dup2(ready.get(), kReadyDescriptor);
  CloseFrom(kReadyDescriptor + 1);
  if (chdir("/") == 0) execv(arguments[0], arguments);
  dprintf(STDERR_FILENO, "cannot run %s: %s\n", arguments[0], strerror(errno));
  _exit(127);
}

// A copy that is above the numbers that the program is given.
Result<Descriptor> Above(Result<Descriptor> file) {
  if (!file) return Forward(file);
  Descriptor copy(fcntl(file->get(), F_DUPFD_CLOEXEC, kReadyDescriptor + 1));
  if (!copy.is_open()) return Fail(SystemError("cannot copy a file descriptor", errno));
  return copy;
}

Readiness AwaitReady(const Descriptor& pipe, milliseconds patience) {
  const auto deadline = steady_clock::now() + patience;
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count();
    struct pollfd can_read = {pipe.get(), POLLIN, 0};
    if (left <= 0 || poll(&can_read, 1, static_cast<int>(left)) == 0) return Readiness::kNotYet;
    char byte;
    const ssize_t got = read(pipe.get(), &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    return got == 1 ? Readiness::kReady : Readiness::kEnded;
  }
}

}  // namespace

Result<Readiness> StartDetached(const DetachedCommand& command, milliseconds patience) {
  const auto output =
      Above(OpenFile(command.output_path, O_WRONLY | O_APPEND | O_CREAT, S_IRUSR | S_IWUSR));
  if (!output) return Fail(output.error());
  const auto null = Above(OpenFile("/dev/null", O_RDWR));
  if (!null) return Fail(null.error());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail(SystemError("cannot make a pipe", errno));
  const Descriptor reading(ends[0]);
  auto ready = Above(Descriptor(ends[1]));
  if (!ready) return Fail(ready.error());

  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return Fail(SystemError("cannot start another process", errno));
  if (child == 0) {
    setsid();
    // The program itself is nobody's child, and as no session's leader never gets a terminal.
    if (fork() == 0) Become(arguments.data(), *output, *null, *ready);
    _exit(0);
  }
  ready->Close();
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return AwaitReady(reading, patience);
}

}  // namespace warpshare::platform
