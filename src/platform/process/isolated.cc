#include "platform/process/isolated.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

[[noreturn]] void Probe(const std::function<std::string()>& probe, const Descriptor& answer) {
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  const bool answered = WriteAll(answer, probe()).has_value();
  _exit(answered ? 0 : 1);
}

// Reads to the end of the pipe; false if that does not come in time.
bool ReadAnswer(const Descriptor& pipe, milliseconds limit, std::string& answer) {
  const auto deadline = steady_clock::now() + limit;
  std::array<char, 4096> buffer;
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count();
    struct pollfd ready = {pipe.get(), POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) == 0) return false;
    const ssize_t got = read(pipe.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    answer.append(buffer.data(), static_cast<size_t>(got));
  }
}

}  // namespace

Result<std::string> RunIsolated(const std::function<std::string()>& probe, milliseconds limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail(SystemError("cannot make a pipe", errno));
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t child = fork();
  if (child < 0) return Fail(SystemError("cannot start another process", errno));
  if (child == 0) Probe(probe, writing);
  writing.Close();

  std::string answer;
  const bool in_time = ReadAnswer(reading, limit, answer);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!in_time)
    return Fail(Errc::kUnavailable,
                "did not answer within " + std::to_string(limit.count()) + " ms");
  if (WIFSIGNALED(status))
    return Fail(Errc::kSystem, std::string("crashed (") + strsignal(WTERMSIG(status)) + ")");
  if (WEXITSTATUS(status) != 0)
    return Fail(Errc::kSystem, "ended with exit code " + std::to_string(WEXITSTATUS(status)));
  return answer;
}

}  // namespace warpshare::platform
