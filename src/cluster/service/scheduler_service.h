// The scheduler's daemon: a view of the cluster, the extender on it, and a Lease that says which of
// several processes serves. All keep their views up to date; the leader alone answers, so that
// there is one ledger at a time.
//
// On HTTP: the extender's verbs, /healthz (this process works), /readyz (it serves: it leads, and
// its view is complete).
// Who becomes leader knows all Bindings that were made before, unless its watch lags behind by more
// than the pause between two leaders (a third of the Lease's duration).
// Threads: none of its own. All on the client's loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cluster/extender/extender.h"
#include "cluster/inventory/cluster_feed.h"
#include "cluster/service/quota_gate.h"
#include "cluster/service/waker.h"
#include "platform/http/server.h"
#include "platform/kube/elector.h"

namespace warpshare::cluster {

struct ServiceOptions {
  http::ServerOptions listen;
  // None: it is the only one.
  std::optional<kube::ElectorOptions> election;
  ExtenderTimes times;
};

class SchedulerService {
 public:
  struct Ports {
    kube::Client& client;
    const platform::Clock& clock;
    platform::Log& log;
    // Its limits are somebody else's to set, and until then nothing is bound. None: no quotas.
    quota::QuotaBook* quotas = nullptr;
  };
  static Result<std::unique_ptr<SchedulerService>> Open(Ports ports, ServiceOptions options);

  uint16_t port() const { return server_->port(); }
  bool serves() const { return extender_.serves(); }
  const ClusterView& view() const { return view_; }

  // Takes no new requests, answers those under way, gives the Lease back, and calls `stopped`.
  void Stop(std::function<void()> stopped);

 private:
  SchedulerService(Ports ports, ServiceOptions options);
  Result<void> Listen();
  void StartElection();
  void Handle(const http::Request& request, const http::Responder& responder);
  http::Response Ready() const;
  void Lead(bool leads);
  void Tick();

  const Ports ports_;
  const ServiceOptions options_;
  std::optional<QuotaGate> quota_gate_;
  ClusterView view_;
  ClusterFeed feed_;
  Extender extender_;
  Waker waker_;
  bool leads_ = false;
  std::string last_trouble_;  // of the election, told once
  platform::Timer tick_;
  std::unique_ptr<kube::Elector> elector_;
  std::unique_ptr<http::Server> server_;  // the last: its handlers use all of the above
};

}  // namespace warpshare::cluster
