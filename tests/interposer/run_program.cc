#include "run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace warpshare::testing {

namespace {

// A program that says nothing for so long will not say what the test waits for.
constexpr int kPatienceMs = 20'000;

[[noreturn]] void Become(const std::vector<std::string>& command, const Environment& environment) {
  for (const auto& [name, value] : environment) {
    if (value.empty())
      unsetenv(name.c_str());
    else
      setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

// Appends what there is; false at the end of the stream.
bool Append(int fd, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t length = read(fd, buffer.data(), buffer.size());
  if (length <= 0) return false;
  text.append(buffer.data(), static_cast<size_t>(length));
  return true;
}

void CloseOnce(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& command,
                               const Environment& environment) {
  int in[2];
  int out[2];
  int err[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    abort();
  pid_ = fork();
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    Become(command, environment);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
}

RunningProgram::~RunningProgram() {
  if (pid_ > 0) {
    Kill();
    Await();
  }
}

bool RunningProgram::ReadSome() {
  std::array<pollfd, 2> streams = {{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  if (out_ < 0 && err_ < 0) return false;
  if (poll(streams.data(), streams.size(), kPatienceMs) == 0) return false;
  if (streams[0].revents != 0 && !Append(out_, ran_.out)) CloseOnce(out_);
  if (streams[1].revents != 0 && !Append(err_, ran_.err)) CloseOnce(err_);
  return true;
}

bool RunningProgram::AwaitOutput(const std::string& text) {
  while (ran_.out.find(text) == std::string::npos) {
    if (out_ < 0 || !ReadSome()) return false;
  }
  return true;
}

void RunningProgram::GoOn() { (void)!write(in_, "\n", 1); }

void RunningProgram::Kill() { kill(pid_, SIGKILL); }

Ran RunningProgram::Await() {
  CloseOnce(in_);
  while (ReadSome()) {
  }
  if (out_ >= 0 || err_ >= 0) Kill();
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  ran_.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return ran_;
}

Ran RunProgram(const std::vector<std::string>& command, const Environment& environment) {
  return RunningProgram(command, environment).Await();
}

}  // namespace warpshare::testing
