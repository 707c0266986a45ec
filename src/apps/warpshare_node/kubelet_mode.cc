#include "apps/warpshare_node/kubelet_mode.h"

#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "apps/warpshare_node/cluster_side.h"
#include "apps/warpshare_node/driver_surroundings.h"
#include "node/device_plugin/plugin_service.h"
#include "node/exporter/exporter.h"
#include "node/local/local_node.h"
#include "platform/log_file/log_words.h"

namespace warpshare::app {

namespace {

// Beside the command line's own tenants, which have other lives. In memory: pages of it are written
// to all the time, and what the kubelet remembers is made again.
constexpr char kStateDir[] = "/run/warpshare-node";

std::string NodeName(const NodeOptions& options) {
  if (!options.node_name.empty()) return options.node_name;
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

// One watch each: who is told of changes acknowledges all of them.
struct Watches {
  platform::LinuxChangeWatch tenants;
  platform::LinuxChangeWatch sockets;
};

Result<Watches> OpenWatches() {
  auto tenants = platform::LinuxChangeWatch::Open();
  if (!tenants) return Forward(tenants);
  auto sockets = platform::LinuxChangeWatch::Open();
  if (!sockets) return Forward(sockets);
  return Watches{std::move(*tenants), std::move(*sockets)};
}

// None without --metrics-port.
Result<std::unique_ptr<node::Exporter>> StartExporter(const NodeOptions& options,
                                                      std::function<node::NodeReading()> read) {
  if (!options.metrics_port) return std::unique_ptr<node::Exporter>();
  return node::Exporter::Start(
      {.address = options.metrics_address, .port = *options.metrics_port, .read = std::move(read)});
}

Result<void> Serve(const NodeOptions& options, const node::StateDir& state, node::NodeLock& lock,
                   platform::Log& log) {
  const auto driver = FindNodeDriver(options.is_simulated);
  if (!driver) return Fail(driver.error());
  const auto cards = platform::ListCards(driver->folder);
  if (!cards) return Fail(cards.error());
  auto events = platform::CardEvents::Open(driver->folder);
  if (!events) return Forward(events);
  auto libraries = node::LibraryStore::Open(options.install_dir + "/lib");
  if (!libraries) return Forward(libraries);
  auto surroundings = SurroundingsOf(*driver, *cards, *libraries);
  if (!surroundings) return Forward(surroundings);
  auto watches = OpenWatches();
  if (!watches) return Forward(watches);

  platform::SystemClock clock;
  platform::LinuxFutex futex;
  const std::string node_name = NodeName(options);
  node::CardWatch card_watch(*cards, {.events = **events, .clock = clock, .log = log});
  // Threads inherit the blocked signals.
  const auto signals = platform::SignalQueue::Open({SIGTERM, SIGINT, SIGHUP});
  if (!signals) return Fail(signals.error());
  auto cluster = ClusterSide::Open(options, node_name, card_watch, log);
  if (!cluster) return Forward(cluster);
  const auto look = [folder = driver->folder] { return platform::ListCards(folder); };
  auto exporter = StartExporter(options, node::ReaderOf(node_name, card_watch, state, look));
  if (!exporter) return Forward(exporter);
  const node::PluginService plugin(state,
                                   {.kubelet_folder = options.kubelet_folder,
                                    .node_name = node_name,
                                    .split = options.split,
                                    .surroundings = std::move(*surroundings)},
                                   {.source = cluster->pods(),
                                    .cards = card_watch,
                                    .watch = watches->sockets,
                                    .libraries = *libraries,
                                    .clock = clock,
                                    .log = log});
  log.Line(platform::LogText("started", {{"node", node_name},
                                         {"cards", cards->size()},
                                         {"state_dir", state.path()},
                                         {"driver", driver->folder}}));
  node::ServeLocally(state, lock,
                     {.clock = clock, .futex = futex, .watch = watches->tenants, .log = log},
                     *signals, {.linger = std::nullopt, .tell_ready = [] {}});
  return {};
}

}  // namespace

Result<void> ServeKubelet(const NodeOptions& options, platform::Log& log) {
  const std::string folder = options.state_dir.empty() ? kStateDir : options.state_dir;
  const auto state = node::StateDir::Open(folder, node::IfMissing::kMake);
  if (!state) return Fail(state.error());
  auto lock = node::NodeLock::Take(*state);
  if (!lock) return Fail(lock.error());
  if (!*lock)
    return Fail(Errc::kConflict, "another one serves " + state->path() + " already: end it");
  signal(SIGPIPE, SIG_IGN);
  return Serve(options, *state, **lock, log);
}

}  // namespace warpshare::app
