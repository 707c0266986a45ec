// kube-scheduler's extender API over HTTP: POST <prefix>/filter, /prioritize, /bind and /preempt.
//
// Errors: a body that makes no sense is answered with 400 and its reason in the field `Error`, a
// Bind that cannot be with 200 and `Error`, as kube-scheduler wants it; while it does not serve,
// everything with 503. Nothing that comes in changes the view but a Bind, and the reservations of
// Filter and Prioritize.
// Threads: all on the view's loop.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "cluster/extender/binder.h"
#include "cluster/extender/foresight.h"
#include "cluster/extender/node_lookup.h"
#include "cluster/extender/verb_stats.h"
#include "cluster/extender/verbs.h"
#include "platform/http/server.h"

namespace warpshare::cluster {

inline constexpr std::string_view kExtenderPrefix = "/scheduler";
// Filter of 10,000 nodes by name is 0.5 MB; an autoscaler's whole nodes are some 10 KB each.
inline constexpr size_t kMaxBodyBytes = 32u << 20;

struct ExtenderTimes {
  // From Filter to Bind: kube-scheduler's own work, without volumes that have yet to be made.
  std::chrono::seconds hold{3};
  BindTimes bind;
};

class Extender {
 public:
  using Ports = Binder::Ports;

  // `foresight` is none where nothing is planned ahead; it outlives this.
  explicit Extender(const Ports& ports, ExtenderTimes times = {}, Foresight* foresight = nullptr)
      : ports_(ports), times_(times), foresight_(foresight), binder_(ports, times.bind) {}

  static bool IsPath(std::string_view path) { return path.starts_with(kExtenderPrefix); }
  void Handle(const http::Request& request, const http::Responder& responder);

  // Only the leader serves, and only when its view is complete. Not to serve any more takes back
  // what is under way.
  void Serve(bool serves);
  bool serves() const { return serves_; }
  size_t binding() const { return binder_.binding(); }
  const VerbStats& stats() const { return stats_; }

 private:
  using Finish = std::function<void(http::Response response, bool is_error)>;

  void Answer(Verb verb, const http::Request& request, const http::Responder& responder);
  http::Response AnswerFilter(const NodesArgs& asked, uint64_t hold_until_ns);
  std::string_view WhyLookAgain(const NodesArgs& asked, const std::string& uid,
                                const FilterAnswer& answer);
  FilterAnswer LookForNodes(const NodesArgs& asked, uint64_t hold_until_ns);
  http::Response AnswerNodes(Verb verb, json::View body);
  void NoteCleared(const NodesArgs& asked, const std::string& uid);
  http::Response AnswerVictims(json::View body);
  void Bind(json::View body, const Finish& finish);
  // A pod that is looked at anew was not bound after the look before.
  void DropHold(json::View pod);

  const Ports ports_;
  const ExtenderTimes times_;
  Foresight* const foresight_;
  NodeLookup lookup_;
  VerbStats stats_;
  // By uid: the node that was named for a pod, if kube-scheduler has asked about it since it asked
  // last whom to drive out, and it had no room.
  std::unordered_map<std::string, std::string> cleared_;
  Binder binder_;
  bool serves_ = false;
};

}  // namespace warpshare::cluster
