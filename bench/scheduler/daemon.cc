#include "bench/scheduler/daemon.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

extern char** environ;

namespace warpshare::bench {

SchedulerProcess::SchedulerProcess(uint16_t api_server_port, const std::string& folder)
    : log_(folder + "/scheduler.log") {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  std::vector<std::string> words = {
      self.parent_path() / "warpshare-scheduler",
      "--alone",
      "--port",
      "0",
      "--server",
      "http://127.0.0.1:" + std::to_string(api_server_port),
      "--log",
      log_,
  };
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (posix_spawn(&pid_, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) pid_ = 0;
}

SchedulerProcess::~SchedulerProcess() {
  if (pid_ == 0) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

bool SchedulerProcess::is_alive() const {
  siginfo_t ended = {};
  return pid_ != 0 && waitid(P_PID, pid_, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

uint16_t SchedulerProcess::port() const {
  std::ifstream log(log_);
  std::stringstream text;
  text << log.rdbuf();
  const size_t found = text.str().find(" port=");
  return found == std::string::npos
             ? 0
             : static_cast<uint16_t>(std::stoi(text.str().substr(found + 6)));
}

DaemonTime SchedulerProcess::Time() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/schedstat");
  DaemonTime time;
  file >> time.ran_ms >> time.waited_ms;
  return {.ran_ms = time.ran_ms / 1e6, .waited_ms = time.waited_ms / 1e6};
}

double SchedulerProcess::StatusMiB(const std::string& field) const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  std::string word;
  while (status >> word)
    if (word == field) break;
  double kib = 0;
  status >> kib;
  return kib / 1024;
}

}  // namespace warpshare::bench
