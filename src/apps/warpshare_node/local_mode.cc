#include "apps/warpshare_node/local_mode.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>

#include "node/local/local_node.h"
#include "platform/process/privileges.h"

namespace warpshare::app {

namespace {

void TellReady(int fd) {
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t put = write(fd, "r", 1);
  close(fd);
}

}  // namespace

Result<void> ServeLocalTenants(const NodeOptions& options, platform::Log& log) {
  const std::string folder =
      options.state_dir.empty() ? node::StateDir::DefaultPath() : options.state_dir;
  const auto state = node::StateDir::Open(folder, node::IfMissing::kMake);
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

}  // namespace warpshare::app
