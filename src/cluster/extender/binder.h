// Bind: the last look, and the one API call that brings a pod to its node together with what it was
// given there.
//
// The pod's part is reserved before the call. When the API server refuses, it is given back at
// once; when nobody knows what became of the call, it stays reserved a little longer, so that a
// Binding which did go through is seen by the watch first.
//
// Threads: the client's loop, as the view.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

#include "cluster/extender/wire.h"
#include "cluster/inventory/cluster_view.h"
#include "platform/clock/clock.h"
#include "platform/kube/client.h"

namespace warpshare::cluster {

struct BindTimes {
  std::chrono::seconds bind{300};  // for the watch to show a pod that was bound before it was seen
  std::chrono::seconds doubt{5};   // for it to show a Binding that nobody answered
};

class Binder {
 public:
  struct Ports {
    ClusterView& view;
    kube::Client& client;
    const platform::Clock& clock;
    platform::Log& log;
    // Is this process still the one that may act? Asked anew before each thing that is done.
    std::function<bool()> leads = [] { return true; };
  };
  // "": it is on its node.
  using Done = std::function<void(const std::string& error)>;

  Binder(Ports ports, BindTimes times) : ports_(std::move(ports)), times_(times) {}

  // `done` may be called before this returns.
  void Bind(const BindArgs& args, Done done);

  // Is a call about this pod under way?
  bool IsBinding(const std::string& uid) const { return calls_.contains(uid); }
  size_t binding() const { return calls_.size(); }

  // We lead no more: calls are taken back, and what may have become of them is in doubt. Nobody is
  // called back.
  void Abandon();

 private:
  void Ask(const BindArgs& args, Done done);
  void Place(const BindArgs& args, const request::Request& request, Done done);
  Result<std::string> Reserve(const BindArgs& args, const request::Request& request);
  void Send(const BindArgs& args, std::string assignment, Done done);
  Result<void> Settle(const BindArgs& args, const Result<json::Document>& answer);
  uint64_t After(std::chrono::seconds time) const;

  const Ports ports_;
  const BindTimes times_;
  std::unordered_map<std::string, http::Call> calls_;  // by uid
};

}  // namespace warpshare::cluster
