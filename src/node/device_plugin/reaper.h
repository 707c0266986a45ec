// Gives back what containers left: folders of those whose pods are gone, and versions of our
// libraries that nothing names any more. Only what the kubelet's record has been without for a
// while, by both of its sources, and what no process is in.
#pragma once

#include <map>
#include <string>

#include "node/device_plugin/held_tenants.h"
#include "node/device_plugin/kubelet_record.h"
#include "node/device_plugin/library_store.h"
#include "node/tenancy/container_tenant.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

// A kubelet that starts again knows its pods only after a while, and a pod that is being admitted
// is not in its record yet.
inline constexpr std::chrono::seconds kReapGrace{60};

class Reaper {
 public:
  struct Ports {
    KubeletRecord& record;
    HeldTenants& held;
    LibraryStore& libraries;
    platform::Clock& clock;
    platform::Log& log;
  };
  Reaper(StateDir state, const Ports& ports) : state_(std::move(state)), ports_(ports) {}

  // Takes up again what a daemon before this one left.
  void Recover();

  // To be called every few seconds. Does nothing while the kubelet does not answer.
  void Look();

 private:
  void Remove(const ContainerTenant& tenant);

  const StateDir state_;
  const Ports ports_;
  std::map<std::string, platform::Clock::Time> unused_since_;  // by folder
};

}  // namespace warpshare::node
