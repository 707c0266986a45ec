// Whether the kube-scheduler in our pod is the one that schedules: it holds the Lease of its own
// election, under the name "<host>_<uuid>", and a pod's containers share the host's name. What that
// one asks needs no other right than that it asks; what nobody asks for is done by one process of
// several only, and that is the one beside it.
//
// Threads: the client's loop.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "platform/clock/clock.h"
#include "platform/kube/client.h"

namespace warpshare::cluster {

struct BesideOptions {
  kube::ObjectName lease = {};  // of the kube-schedulers
  std::string host = {};        // ours and its
};

class Beside {
 public:
  struct Ports {
    kube::Client& client;
    const platform::Clock& clock;
    std::function<void(const Error&)> trouble;
  };
  Beside(Ports ports, BesideOptions options);

  void Start();

  // The Lease was seen lately. Else this process was stopped, or cut off: somebody else may have
  // decided meanwhile what it does not know of.
  bool IsAwake() const;
  bool has_looked() const { return seen_.has_value(); }
  // And it was our neighbour's.
  bool IsLeader() const { return is_ours_ && IsAwake(); }

 private:
  void Look();
  void Looked(platform::Clock::Time sent, const Result<json::Document>& lease);

  const Ports ports_;
  const BesideOptions options_;
  bool is_ours_ = false;
  std::optional<platform::Clock::Time> seen_;  // when the last look that was answered began
  platform::Timer next_look_;
  http::Call call_;
};

}  // namespace warpshare::cluster
