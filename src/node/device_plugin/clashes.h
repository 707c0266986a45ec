// Tells pods of ours whose card NVIDIA's device plugin gave to somebody as well: it chooses its
// cards by itself, and may choose one that tenants share. Nobody can mend that from here; who reads
// the pod's events can.
//
// One thread.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "node/device_plugin/assignment_source.h"
#include "node/device_plugin/pod_voice.h"
#include "node/device_plugin/taken_cards.h"
#include "node/tenancy/state_dir.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

class Clashes {
 public:
  // All of these outlive it.
  struct Ports {
    AssignmentSource& source;
    const TakenCards& taken;
    PodVoice& voice;
    platform::Log& log;
  };
  Clashes(StateDir state, const Ports& ports) : state_(std::move(state)), ports_(ports) {}

  // Once for each pod and card, as long as both have it. Does nothing while no card is taken.
  void Look();

 private:
  using Clash = std::pair<std::string, GpuUuid>;  // the pod's uid
  void Tell(const PodOnNode& pod, const GpuUuid& card);

  const StateDir state_;
  const Ports ports_;
  std::set<Clash> told_;
};

}  // namespace warpshare::node
