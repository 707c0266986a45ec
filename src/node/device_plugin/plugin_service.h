// The device plugin, running: what `warpshare-node --kubelet-dir` does beside its arbiters. All
// that must be remembered is on disk, so it may end at any time and start again.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "node/device_plugin/card_watch.h"
#include "node/device_plugin/clashes.h"
#include "node/device_plugin/container_start.h"
#include "node/device_plugin/container_surroundings.h"
#include "node/device_plugin/device_slots.h"
#include "node/device_plugin/library_store.h"
#include "node/device_plugin/limit_keeper.h"
#include "node/device_plugin/lingering.h"
#include "node/device_plugin/plugin_handler.h"
#include "node/device_plugin/plugin_registrar.h"
#include "node/device_plugin/readiness.h"
#include "node/device_plugin/reaper.h"
#include "node/device_plugin/taken_cards.h"
#include "node/device_plugin/usage_bounds.h"

namespace warpshare::node {

inline constexpr char kPodResourcesSocket[] = "/pod-resources/kubelet.sock";  // in its folder

struct PluginSetup {
  std::string kubelet_folder;  // "/var/lib/kubelet"
  std::string node_name;       // as the scheduler writes it into assignments
  uint32_t split = kDefaultSplit;
  ContainerSurroundings surroundings;
};

class PluginService {
 public:
  struct Ports {
    AssignmentSource& source;
    PodVoice& voice;
    Lingering& lingering;
    TakenCards& taken;
    CardWatch& cards;
    Readiness& readiness;
    platform::ChangeWatch& watch;  // of this object alone
    LibraryStore& libraries;
    platform::Clock& clock;
    platform::Log& log;  // takes lines from several threads
  };
  PluginService(const StateDir& state, const PluginSetup& setup, const Ports& ports);
  ~PluginService();  // the kubelet takes the devices for gone; containers go on
  PluginService(const PluginService&) = delete;
  PluginService& operator=(const PluginService&) = delete;

 private:
  void KeepRegistered();
  void LookAfterCards();

  const uint32_t split_;
  const Ports ports_;
  std::unique_ptr<platform::PodResources> pod_resources_;
  KubeletRecord record_;
  HeldTenants held_;
  ContainerStart starts_;
  LimitKeeper limits_;
  Clashes clashes_;
  PluginHandler handler_;
  PluginRegistrar registrar_;
  Reaper reaper_;
  UsageBounds usage_bounds_;
  std::atomic<bool> ends_ = false;
  std::thread keeper_;
  std::thread watcher_;
};

}  // namespace warpshare::node
