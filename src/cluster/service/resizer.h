// Gives pods that run what they ask for by now: looks for room on the ledger and in the quotas,
// holds it, and writes the new assignment to the pod, from where the node takes it. What finds no
// room changes nothing, is told by an event of the pod, and is tried again when something came
// free.
//
// Threads: the client's loop, as the view.
#pragma once

#include <string>
#include <unordered_map>

#include "cluster/inventory/cluster_view.h"
#include "platform/clock/clock.h"
#include "platform/kube/client.h"
#include "platform/log_file/log_file.h"

namespace warpshare::cluster {

class Resizer {
 public:
  struct Ports {
    ClusterView& view;
    kube::Client& client;
    const platform::Clock& clock;
    platform::Log& log;
  };
  explicit Resizer(Ports ports) : ports_(ports) {}

  // Begins what can be begun. To be called now and then, by who leads.
  void Look();

 private:
  // The last try for a pod.
  struct Try {
    std::string version;      // of the pod's object
    std::string reason = {};  // why not; said once
    bool waits_for_room = false;
    uint64_t freed = 0;  // ClusterView::freed().count at that time
    platform::Clock::Time next = {};
  };

  void Begin(const std::string& uid, const Resize& resize);
  void Refused(const std::string& uid, const Resize& resize, const Error& error);
  void Send(const std::string& uid, const Resize& resize);
  void Settle(const std::string& uid, const Resize& resize, const Result<json::Document>& answer);
  void Tell(const std::string& uid, const Resize& resize, bool is_warning,
            const std::string& message);

  const Ports ports_;
  std::unordered_map<std::string, Try> tries_;         // by uid
  std::unordered_map<std::string, http::Call> calls_;  // by uid
};

}  // namespace warpshare::cluster
