// Chooses nodes for the pods behind the one that kube-scheduler has just asked about, holds their
// cards, and tells it by status.nominatedNodeName. README.md says what that is for.
//
// Threads: the client's loop, as the view. The API server is asked between two events of the loop,
// so that no answer to kube-scheduler waits for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cluster/extender/foresight.h"
#include "cluster/inventory/cluster_view.h"
#include "cluster/nominator/alike.h"
#include "cluster/nominator/tries.h"
#include "platform/clock/clock.h"
#include "platform/kube/client.h"
#include "platform/log_file/log_file.h"

namespace warpshare::cluster {

class Nominator final : public Foresight {
 public:
  struct Ports {
    ClusterView& view;
    kube::Client& client;
    const platform::Clock& clock;
    platform::Log& log;
  };
  struct Limits {
    // kube-scheduler never stops before it has found so many nodes fit (minFeasibleNodesToFind).
    size_t least_part = 100;
    // A nomination costs the API server some five milliseconds of processor time, and saves
    // kube-scheduler some eight for each thousand nodes.
    size_t worth_planning = 500;
  };
  explicit Nominator(Ports ports) : Nominator(ports, Limits()) {}
  Nominator(Ports ports, Limits limits)
      : ports_(ports), limits_(limits), soon_(ports.client.loop()) {}

  void NoteAsked(const std::string& uid, std::span<const place::NodeId> nodes) override;
  bool NameElsewhere(const std::string& uid, std::span<const place::NodeId> nodes) override;
  bool IsTooEarly(const std::string& uid, size_t nodes) override;
  bool HoldsAnything() const override;
  void LookPast(const std::function<void()>& look) override;

  const NominationCounts& counts() const { return counts_; }
  // How often a pod that may drive others out should look again, for it saw only a part of the
  // nodes: kube-scheduler looks for victims on these alone, and on others the next time.
  uint64_t unseen() const { return unseen_; }

 private:
  // Without a node: there was none, and it is not looked for again.
  struct Plan {
    request::Request request = {};
    place::PodHold hold = {};
    uint64_t until_ns = 0;
    bool is_elsewhere = false;  // else for a pod that was not asked about yet
  };

  void Wake();  // soon, and once
  void PlanAhead();
  void DropOldPlans();
  bool IsPlanned(const std::string& uid) const { return plans_.contains(uid); }
  bool Choose(const WaitingPod& pod);
  std::vector<place::NodeId> Others(const WaitingPod& pod,
                                    std::span<const place::NodeId> nodes) const;
  bool Hold(const WaitingPod& pod, std::span<const place::NodeId> nodes, Plan& plan);
  bool NameOther(const WaitingPod& pod, std::span<const place::NodeId> nodes);
  void Tell(const WaitingPod& pod, const std::string& node, const std::string& version);
  void Settle(const std::string& uid, const Result<json::Document>& answer);

  const Ports ports_;
  const Limits limits_;
  Alike alike_;
  Tries tries_;
  bool is_worth_planning_ = false;  // kube-scheduler looked at many nodes the last time
  std::string scheduler_;           // that asked last
  std::unordered_map<std::string, Plan> plans_;        // by uid
  std::unordered_map<std::string, http::Call> calls_;  // by uid
  NominationCounts counts_;
  uint64_t unseen_ = 0;
  uint64_t asked_ = 0;
  // Who stands before that turn is asked about before kube-scheduler has heard: so many were while
  // the last call was under way.
  uint64_t too_late_ = 1;
  platform::Clock::Time paused_until_{};
  platform::Timer soon_;
};

}  // namespace warpshare::cluster
