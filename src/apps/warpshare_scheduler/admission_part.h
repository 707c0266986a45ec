// The webhook and the namespaces' quotas, as far as the flags want them: options, ports, and what
// is started of cluster/webhook and cluster/quota.
#pragma once

#include <functional>
#include <memory>

#include "apps/warpshare_scheduler/scheduler_options.h"
#include "cluster/quota/quota_watch.h"
#include "cluster/webhook/ledger_cards.h"
#include "cluster/webhook/service.h"
#include "platform/metrics/metric_page.h"

namespace warpshare::app {

// On the client's loop.
class AdmissionPart {
 public:
  // All of these outlive it.
  struct Ports {
    kube::Client& client;
    const cluster::ClusterView& view;
    quota::QuotaBook& quotas;  // its limits are set here
    const platform::Clock& clock;
    platform::Log& log;
    std::function<bool()> knows_cluster;  // the view does
  };

  static Result<std::unique_ptr<AdmissionPart>> Start(Ports ports, const AdmissionOptions& options);

  // What the webhook has answered, if there is one.
  void AddMetrics(platform::MetricPage& page) const;

  // Answers what is being asked, then calls `stopped`.
  void Stop(std::function<void()> stopped);

 private:
  struct Names {
    kube::ObjectName secret;
    kube::ObjectName quotas;
  };
  AdmissionPart(Ports ports, const AdmissionOptions& options, Names names);

  const bool has_webhook_;
  std::unique_ptr<quota::QuotaWatch> quota_watch_;
  webhook::LedgerCards cards_;
  webhook::Service service_;
};

}  // namespace warpshare::app
