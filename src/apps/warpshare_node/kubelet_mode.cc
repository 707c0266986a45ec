#include "apps/warpshare_node/kubelet_mode.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "abi/names/folders.h"
#include "abi/names/resources.h"
#include "apps/warpshare_node/cluster_side.h"
#include "apps/warpshare_node/driver_surroundings.h"
#include "apps/warpshare_node/linked_cards.h"
#include "node/device_plugin/cdi_spec.h"
#include "node/device_plugin/known_cards.h"
#include "node/device_plugin/plugin_service.h"
#include "node/exporter/exporter.h"
#include "node/local/local_node.h"
#include "node/local/other_arbiters.h"
#include "platform/log_file/log_words.h"
#include "platform/nvml/question.h"
#include "platform/process/privileges.h"

namespace warpshare::app {

namespace {

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

Result<void> DescribeToCdi(const NodeOptions& options, node::ContainerSurroundings& surroundings) {
  if (options.cdi_folder.empty()) return {};
  surroundings.is_driver_by_cdi = true;
  return node::WriteCdiSpec(options.cdi_folder, node::DriverEdits(surroundings));
}

// That it cannot be told takes nothing from what is served.
platform::Descriptor TellOthers(const node::StateDir& state,
                                const std::vector<platform::Card>& cards, platform::Log& log) {
  std::vector<GpuUuid> served;
  for (const platform::Card& card : cards) served.push_back(card.uuid);
  auto told = node::TellServedCards(state, served);
  if (told) return std::move(*told);
  log.Line(told.error().message);
  return {};
}

// None without --metrics-port.
Result<std::unique_ptr<node::Exporter>> StartExporter(const NodeOptions& options,
                                                      const std::string& node_name,
                                                      const node::ReaderSources& sources) {
  if (!options.metrics_port) return std::unique_ptr<node::Exporter>();
  return node::Exporter::Start(
      {.address = options.metrics_address,
       .port = *options.metrics_port,
       .read = node::ReaderOf(node_name, sources),
       .missing = [&readiness = sources.readiness,
                   &pods = sources.pods] { return readiness.Missing(pods); },
       .version = WARPSHARE_VERSION});
}

struct OurCards {
  std::vector<platform::Card> readable;
  std::vector<platform::Card> lost;  // told of before, and not readable now
  std::vector<platform::Card> all;   // by index
};

Result<OurCards> FindCards(const std::string& driver_folder, const node::StateDir& state,
                           platform::Log& log) {
  auto list = platform::ListCards(driver_folder);
  if (!list) return Forward(list);
  FindLinks(driver_folder, list->cards, log);
  OurCards cards{.readable = list->cards,
                 .lost = node::RecallLostCards(state.path() + "/cards", *list, log),
                 .all = list->cards};
  cards.all.insert(cards.all.end(), cards.lost.begin(), cards.lost.end());
  std::ranges::sort(cards.all, {}, &platform::Card::index);
  return cards;
}

Result<node::ContainerSurroundings> Surround(const NodeOptions& options, const NodeDriver& driver,
                                             const OurCards& cards, node::LibraryStore& libraries) {
  auto surroundings =
      SurroundingsOf(driver, {.readable = cards.readable, .lost = cards.lost}, libraries);
  if (!surroundings) return surroundings;
  if (auto described = DescribeToCdi(options, *surroundings); !described) return Forward(described);
  return surroundings;
}

std::string StartText(const std::string& node_name, const OurCards& cards,
                      const node::StateDir& state, const NodeDriver& driver) {
  return platform::LogText("started", {{"node", node_name},
                                       {"cards", cards.all.size()},
                                       {"state_dir", state.path()},
                                       {"driver", driver.folder}});
}

std::unique_ptr<platform::PodResources> AskForNvidias(const NodeOptions& options) {
  return platform::MakePodResources(options.kubelet_folder + node::kPodResourcesSocket,
                                    abi::kResourceNvidiaGpu);
}

Result<void> Serve(const NodeOptions& options, const node::StateDir& state, node::NodeLock& lock,
                   platform::Log& log) {
  const auto driver = FindNodeDriver(options);
  if (!driver) return Fail(driver.error());
  const auto cards = FindCards(driver->folder, state, log);
  if (!cards) return Fail(cards.error());
  if (auto open = OpenToAll(*driver); !open) return open;
  auto events = platform::CardEvents::Open(driver->folder);
  if (!events) return Forward(events);
  auto libraries = node::LibraryStore::Open(options.install_dir + "/lib");
  if (!libraries) return Forward(libraries);
  auto surroundings = Surround(options, *driver, *cards, *libraries);
  if (!surroundings) return Forward(surroundings);
  auto watches = OpenWatches();
  if (!watches) return Forward(watches);
  const platform::Descriptor serving = TellOthers(state, cards->all, log);
  platform::SystemClock clock;
  platform::LinuxFutex futex;
  const std::string node_name = NodeName(options);
  node::ResetNotes notes(state);
  node::CardWatch card_watch(
      cards->all, {.events = std::move(*events), .notes = notes, .clock = clock, .log = log});
  card_watch.Look(std::chrono::milliseconds(0));  // nobody is told first that a lost card is well
  // Threads inherit the blocked signals.
  const auto signals = platform::SignalQueue::Open({SIGTERM, SIGINT, SIGHUP});
  if (!signals) return Fail(signals.error());
  node::Lingering lingering(state, node_name);
  node::TakenCards taken(AskForNvidias(options), node_name, card_watch, log);
  auto cluster = ClusterSide::Open(options, {.node_name = node_name,
                                             .cards = card_watch,
                                             .lingering = lingering,
                                             .taken = taken,
                                             .log = log});
  if (!cluster) return Forward(cluster);
  node::Readiness readiness;
  const node::ReaderSources sources{card_watch, state, cluster->pods(), taken, readiness};
  auto exporter = StartExporter(options, node_name, sources);
  if (!exporter) return Forward(exporter);
  const node::PluginService plugin(state,
                                   {.kubelet_folder = options.kubelet_folder,
                                    .node_name = node_name,
                                    .split = options.split,
                                    .surroundings = std::move(*surroundings)},
                                   {.source = cluster->pods(),
                                    .voice = cluster->voice(),
                                    .lingering = lingering,
                                    .taken = taken,
                                    .cards = card_watch,
                                    .readiness = readiness,
                                    .watch = watches->sockets,
                                    .libraries = *libraries,
                                    .clock = clock,
                                    .log = log});
  log.Line(StartText(node_name, *cards, state, *driver));
  node::ServeLocally(state, lock,
                     {.clock = clock, .futex = futex, .watch = watches->tenants, .log = log},
                     *signals, {.linger = std::nullopt, .tell_ready = [] {}});
  return {};
}

// All that is left is what the driver does at a program's end, and a card that hangs would have it
// wait for ever.
void LeaveDriver(const Result<void>& served, platform::Log& log) {
  if (!platform::IsDriverAsked()) return;
  if (!served) log.Line("cannot serve: " + served.error().message);
  _exit(served ? 0 : 1);
}

}  // namespace

Result<void> ServeKubelet(const NodeOptions& options, platform::Log& log) {
  const std::string folder = options.state_dir.empty() ? abi::kNodeStateFolder : options.state_dir;
  const auto state = node::StateDir::Open(folder, node::IfMissing::kMake);
  if (!state) return Fail(state.error());
  auto lock = node::NodeLock::Take(*state);
  if (!lock) return Fail(lock.error());
  if (!*lock)
    return Fail(Errc::kConflict, "another one serves " + state->path() + " already: end it");
  signal(SIGPIPE, SIG_IGN);
  // Threads inherit what was given up: before the first one.
  if (auto given_up = platform::GiveUpPrivileges(); !given_up) log.Line(given_up.error().message);
  auto served = Serve(options, *state, **lock, log);
  LeaveDriver(served, log);
  return served;
}

}  // namespace warpshare::app
