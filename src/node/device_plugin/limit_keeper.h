// Keeps started containers and what is written of them the same. An assignment that was changed is
// put on the pages of the running containers, if the node can take it (grants.h). What a pod that
// came past the scheduler was given here is written to it, so that the scheduler counts it; and so
// is what a pod has, where somebody made something else of its annotation.
#pragma once

#include <map>
#include <string>

#include "node/device_plugin/grants.h"
#include "node/device_plugin/pod_voice.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

class LimitKeeper {
 public:
  struct Ports {
    AssignmentSource& source;
    const CardView& cards;
    const TakenCards& taken;
    PodVoice& voice;
    platform::Clock& clock;
    platform::Log& log;
  };
  LimitKeeper(StateDir state, const std::string& node_name, const Ports& ports)
      : state_(std::move(state)),
        ports_(ports),
        grants_(node_name, {.source = ports.source, .cards = ports.cards, .taken = ports.taken}) {}

  // Brings pages to what claims say, where a daemon ended between the two.
  void Recover();

  // To be called often; does nothing while no pod changes, but for a look now and then at what
  // found no room.
  void Look();

 private:
  // What is wrong with a pod's annotation.
  struct Trouble {
    std::string text;     // the annotation's
    std::string message;  // said already
    platform::Clock::Time since;
  };
  struct Written {
    std::string version;  // of the pod that it was written over
    platform::Clock::Time at;
  };

  bool LookAt(const PodOnNode& pod, const Tenants& tenants);
  bool Change(const PodOnNode& pod, const Given& given, const Tenants& tenants);
  void Refuse(const PodOnNode& pod, const ContainerClaim& claim, const Error& error);
  void Write(const PodOnNode& pod, const std::string& text);
  void ForgetLowered(const Tenants& tenants);
  Result<void> SetPage(const ContainerTenant& tenant, const request::Assignment& assignment) const;

  const StateDir state_;
  const Ports ports_;
  const Grants grants_;
  uint64_t seen_ = 0;  // of the source's changes
  platform::Clock::Time next_{};
  std::map<std::string, Trouble> troubles_;  // by pod's uid
  std::map<std::string, Written> written_;   // by pod's uid
};

}  // namespace warpshare::node
