// warpshare-node: the arbiters of a machine's cards, as a process.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "node/local/local_node.h"
#include "platform/process/privileges.h"

namespace warpshare::app {

namespace {

constexpr double kMostLinger = 86'400;

struct Options {
  std::string state_dir = node::StateDir::DefaultPath();
  double linger_seconds = 30;
  int ready_fd = -1;
  std::string log;  // empty: standard error
};

void TellReady(int fd) {
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t put = write(fd, "r", 1);
  close(fd);
}

Result<void> Serve(const Options& options, platform::Log& log) {
  const auto state = node::StateDir::Open(options.state_dir, node::IfMissing::kMake);
  if (!state) return Fail(state.error());
  auto lock = node::NodeLock::Take(*state);
  if (!lock) return Fail(lock.error());
  if (!*lock) {
    log.Line("one is running already for " + state->path());
    return {};
  }
  // Threads inherit the blocked signals and what was given up.
  signal(SIGPIPE, SIG_IGN);
  const auto signals = platform::SignalQueue::Open({SIGTERM, SIGINT, SIGHUP});
  if (!signals) return Fail(signals.error());
  if (auto given_up = platform::GiveUpPrivileges(); !given_up) log.Line(given_up.error().message);
  auto watch = platform::LinuxChangeWatch::Open();
  if (!watch) return Fail(watch.error());

  platform::SystemClock clock;
  platform::LinuxFutex futex;
  log.Line("serves " + state->path());
  node::ServeLocally(
      *state, **lock, {.clock = clock, .futex = futex, .watch = *watch, .log = log}, *signals,
      {.linger = std::chrono::milliseconds(std::llround(options.linger_seconds * 1000)),
       .tell_ready = [&options] { TellReady(options.ready_fd); }});
  return {};
}

Result<platform::LogFile> OpenLog(const std::string& path) {
  if (path.empty()) return platform::LogFile();
  return platform::LogFile::Open(path);
}

int Run(const Options& options) {
  auto log = OpenLog(options.log);
  if (!log) {
    std::fprintf(stderr, "warpshare-node: %s\n", log.error().message.c_str());
    return 1;
  }
  const auto served = Serve(options, *log);
  if (served) return 0;
  log->Line("cannot serve: " + served.error().message);
  return 1;
}

}  // namespace

}  // namespace warpshare::app

int main(int argc, char** argv) {
  warpshare::app::Options options;
  CLI::App app{"Shares out the compute of a machine's cards among its tenants.", "warpshare-node"};
  app.set_version_flag("--version", "warpshare-node " WARPSHARE_VERSION);
  // Without it, this is the daemon of a cluster's node, which does not exist yet.
  bool is_local = false;
  app.add_flag("--local", is_local,
               "Serve the tenants of `warpshare run`, which starts this itself")
      ->required();
  app.add_option("--state-dir", options.state_dir, "Where the tenants are: one node serves one")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--linger", options.linger_seconds, "How long to stay after the last tenant")
      ->type_name("SECONDS")
      ->check(CLI::Range(0., warpshare::app::kMostLinger))
      ->capture_default_str();
  app.add_option("--ready-fd", options.ready_fd,
                 "A byte is written here when all tenants that are there are served")
      ->type_name("N");
  app.add_option("--log", options.log, "Where to log to, instead of standard error")
      ->type_name("FILE");
  CLI11_PARSE(app, argc, argv);
  return warpshare::app::Run(options);
}
