#include "node/local/testing/node_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <filesystem>

namespace warpshare::node {

namespace {

constexpr int kReadyFd = 3;

// What the test has open would hold its tenants.
[[noreturn]] void BecomeNode(std::vector<std::string> words, int ready) {
  dup2(ready, kReadyFd);
  syscall(SYS_close_range, kReadyFd + 1, UINT_MAX, 0);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

std::string ProgramFolder() {
  // <build>/tests/bin/x and <build>/bin/warpshare-node
  const auto test = std::filesystem::read_symlink("/proc/self/exe");
  return test.parent_path().parent_path().parent_path() / "bin";
}

NodeProcess::NodeProcess(const StateDir& state, const std::string& linger_seconds) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ready_ = platform::Descriptor(ends[0]);
  const platform::Descriptor writing(ends[1]);
  pid_ = fork();
  if (pid_ == 0)
    BecomeNode(
        {ProgramFolder() + "/warpshare-node", "--local", "--state-dir", state.path(), "--ready-fd",
         std::to_string(kReadyFd), "--linger", linger_seconds, "--log", state.path() + "/node.log"},
        writing.get());
}

NodeProcess::~NodeProcess() {
  if (pid_ <= 0) return;
  Signal(SIGKILL);
  AwaitEnd();
}

bool NodeProcess::AwaitReady() {
  char byte;
  return read(ready_.get(), &byte, 1) == 1;
}

void NodeProcess::Signal(int signal) const { EXPECT_EQ(kill(pid_, signal), 0); }

int NodeProcess::AwaitEnd() {
  int status = 0;
  EXPECT_EQ(waitpid(std::exchange(pid_, -1), &status, 0) > 0, true);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void AwaitNoNode(const platform::Descriptor& lock_file) {
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  EXPECT_EQ(fcntl(lock_file.get(), F_OFD_SETLKW, &whole), 0);
}

std::string NodeLog(const StateDir& state) {
  return platform::ReadWholeFile(state.path() + "/node.log", 1 << 20).value_or("");
}

size_t CountInLog(const StateDir& state, const std::string& text) {
  const std::string log = NodeLog(state);
  size_t count = 0;
  for (size_t at = log.find(text); at != std::string::npos; at = log.find(text, at + 1)) ++count;
  return count;
}

}  // namespace warpshare::node
