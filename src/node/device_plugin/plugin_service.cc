#include "node/device_plugin/plugin_service.h"

#include <poll.h>

#include "abi/names/resources.h"

namespace warpshare::node {

namespace {

using std::chrono::milliseconds;

// How late the end, and a card's health, may be noticed.
constexpr milliseconds kLookEvery{250};
constexpr std::chrono::seconds kReapEvery{5};
constexpr std::chrono::seconds kTenantsEvery{1};
constexpr std::chrono::seconds kAskAgain{10};  // a kubelet that does not answer
constexpr char kEndpoint[] = "warpshare.sock";

std::string PluginsFolder(const PluginSetup& setup) {
  return setup.kubelet_folder + "/device-plugins";
}

std::vector<platform::PluginDevice> DevicesOf(const CardView& view, uint32_t split) {
  std::vector<SlottedCard> cards;
  for (const CardState& each : view.Cards())
    cards.push_back({each.card.uuid, each.is_healthy, each.card.numa_node});
  return SlotsOf(cards, split);
}

}  // namespace

PluginService::PluginService(const StateDir& state, const PluginSetup& setup, const Ports& ports)
    : split_(setup.split),
      ports_(ports),
      pod_resources_(platform::MakePodResources(setup.kubelet_folder + kPodResourcesSocket,
                                                abi::kResourceGpu)),
      record_(*pod_resources_, platform::CheckpointPath(PluginsFolder(setup)), abi::kResourceGpu),
      starts_(state, setup.node_name,
              {.record = record_,
               .source = ports.source,
               .cards = ports.cards,
               .taken = ports.taken,
               .held = held_,
               .clock = ports.clock,
               .host = setup.surroundings.host}),
      limits_(state, setup.node_name,
              {.source = ports.source,
               .cards = ports.cards,
               .taken = ports.taken,
               .voice = ports.voice,
               .clock = ports.clock,
               .log = ports.log}),
      clashes_(
          state,
          {.source = ports.source, .taken = ports.taken, .voice = ports.voice, .log = ports.log}),
      handler_(state, setup.surroundings,
               {.starts = starts_,
                .source = ports.source,
                .readiness = ports.readiness,
                .clock = ports.clock,
                .log = ports.log}),
      registrar_(
          {.folder = PluginsFolder(setup),
           .endpoint = kEndpoint,
           .resource_name = abi::kResourceGpu},
          {.handler = handler_, .watch = ports.watch, .clock = ports.clock, .log = ports.log}),
      reaper_(state, {.record = record_,
                      .held = held_,
                      .libraries = ports.libraries,
                      .clock = ports.clock,
                      .log = ports.log}),
      usage_bounds_(state, ports.log) {
  (void)ports_.taken.Look();  // nobody starts on what was taken before
  limits_.Recover();
  reaper_.Recover();
  keeper_ = std::thread([this] { KeepRegistered(); });
  watcher_ = std::thread([this] { LookAfterCards(); });
}

PluginService::~PluginService() {
  ends_ = true;
  keeper_.join();
  watcher_.join();
  ports_.readiness.SetRegistered(false);
}

void PluginService::KeepRegistered() {
  auto next_reaping = ports_.clock.Now();
  auto next_lingering = next_reaping;
  auto next_taken = next_reaping;
  while (!ends_) {
    registrar_.SetDevices(DevicesOf(ports_.cards, split_));
    registrar_.Look();
    ports_.readiness.SetRegistered(registrar_.IsRegistered());
    limits_.Look();
    if (ports_.clock.Now() >= next_lingering) {
      ports_.lingering.Look(ports_.source);
      usage_bounds_.Look();
      next_lingering = ports_.clock.Now() + kTenantsEvery;
    }
    if (ports_.clock.Now() >= next_taken) {
      // One that hangs keeps all of this waiting.
      const bool answers = ports_.taken.Look();
      clashes_.Look();
      next_taken = ports_.clock.Now() + (answers ? kTenantsEvery : kAskAgain);
    }
    if (ports_.clock.Now() >= next_reaping) {
      reaper_.Look();
      next_reaping = ports_.clock.Now() + kReapEvery;
    }
    struct pollfd told = {ports_.watch.descriptor(), POLLIN, 0};
    (void)poll(&told, 1, static_cast<int>(kLookEvery.count()));
  }
}

void PluginService::LookAfterCards() {
  while (!ends_) ports_.cards.Look(kLookEvery);
}

}  // namespace warpshare::node
