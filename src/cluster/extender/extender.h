// kube-scheduler's extender API over HTTP: POST <prefix>/filter, /prioritize, /bind and /preempt.
//
// Errors: a body that makes no sense is answered with 400 and its reason in the field `Error`, a
// Bind that cannot be with 200 and `Error`, as kube-scheduler wants it; while it does not serve,
// everything with 503. Nothing that comes in changes the view but a Bind, and the reservations of
// Prioritize.
// Threads: all on the view's loop.
#pragma once

#include <string>
#include <string_view>

#include "cluster/extender/binder.h"
#include "cluster/extender/node_lookup.h"
#include "platform/http/server.h"

namespace warpshare::cluster {

inline constexpr std::string_view kExtenderPrefix = "/scheduler";
// Filter of 10,000 nodes by name is 0.5 MB; an autoscaler's whole nodes are some 10 KB each.
inline constexpr size_t kMaxBodyBytes = 32u << 20;

struct ExtenderTimes {
  // From Prioritize to Bind: kube-scheduler's own work, without volumes that have yet to be made.
  std::chrono::seconds hold{3};
  BindTimes bind;
};

class Extender {
 public:
  using Ports = Binder::Ports;

  explicit Extender(Ports ports, ExtenderTimes times = {})
      : ports_(ports), times_(times), binder_(ports, times.bind) {}

  static bool IsPath(std::string_view path) { return path.starts_with(kExtenderPrefix); }
  void Handle(const http::Request& request, const http::Responder& responder);

  // Only the leader serves, and only when its view is complete. Not to serve any more takes back
  // what is under way.
  void Serve(bool serves);
  bool serves() const { return serves_; }
  size_t binding() const { return binder_.binding(); }

 private:
  http::Response Answer(std::string_view verb, json::View body);
  http::Response AnswerNodes(std::string_view verb, json::View body);
  http::Response AnswerVictims(json::View body);
  void Bind(json::View body, const http::Responder& responder);
  // A pod that is looked at anew was not bound after the look before.
  void DropHold(json::View pod);

  const Ports ports_;
  const ExtenderTimes times_;
  NodeLookup lookup_;
  Binder binder_;
  bool serves_ = false;
};

}  // namespace warpshare::cluster
