// The scheduler's daemon: a view of the cluster, the extender on it, and a Lease that says which of
// several processes serves. All keep their views up to date; the leader alone answers, so that
// there is one ledger at a time. Or each is asked by a kube-scheduler beside it, and these elect
// one among themselves (beside.h): then all would answer, and what nobody asks for is done by the
// one beside the leader.
//
// On HTTP: the extender's verbs, /healthz (this process works), /readyz (it serves: it leads, and
// its view is complete).
// Who becomes leader knows all Bindings that were made before, unless its watch lags behind by more
// than the pause between two leaders (a third of the Lease's duration).
// A process that was stopped and goes on asks the clock before it acts as a leader again.
// Threads: none of its own. All on the client's loop.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cluster/extender/extender.h"
#include "cluster/inventory/cluster_feed.h"
#include "cluster/nominator/nominator.h"
#include "cluster/service/beside.h"
#include "cluster/service/quota_gate.h"
#include "cluster/service/resizer.h"
#include "cluster/service/waker.h"
#include "platform/http/server.h"
#include "platform/kube/elector.h"
#include "platform/metrics/metric_page.h"

namespace warpshare::cluster {

struct ServiceOptions {
  http::ServerOptions listen;
  // None: it is the only one, or its kube-scheduler decides.
  std::optional<kube::ElectorOptions> election;
  std::optional<BesideOptions> beside;
  ExtenderTimes times;
  bool nominates = true;  // chooses nodes ahead
  Nominator::Limits nomination_limits = {};
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
  bool knows_cluster() const { return feed_.is_synced(); }  // also a standby
  // "": it serves; else why not.
  std::string_view WhyNotServing() const;
  const ClusterView& view() const { return view_; }

  // What there is to tell of it, at that time.
  void AddMetrics(std::chrono::system_clock::time_point now, platform::MetricPage& page) const;

  // Takes no new requests, answers those under way, gives the Lease back, and calls `stopped`.
  void Stop(std::function<void()> stopped);

 private:
  SchedulerService(Ports ports, ServiceOptions options);
  Result<void> Listen();
  void StartElection();
  void Handle(const http::Request& request, const http::Responder& responder);
  void Lead(bool leads);
  void Tick();
  void Trouble(const Error& error);
  bool MayAnswer();    // kube-scheduler
  bool Leads() const;  // may do what nobody asked for

  const Ports ports_;
  const ServiceOptions options_;
  std::optional<QuotaGate> quota_gate_;
  ClusterView view_;
  ClusterFeed feed_;
  std::optional<Nominator> nominator_;
  Extender extender_;
  Waker waker_;
  Resizer resizer_;
  bool leads_ = false;
  uint64_t expired_ = 0;      // reservations
  std::string last_trouble_;  // of the election, told once
  platform::Timer tick_;
  std::unique_ptr<kube::Elector> elector_;
  std::optional<Beside> beside_;
  std::unique_ptr<http::Server> server_;  // the last: its handlers use all of the above
};

}  // namespace warpshare::cluster
