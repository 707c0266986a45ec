// Where Prometheus finds the scheduler's metrics: a port of their own, so that the extender can
// stay on the loopback. GET /metrics, /healthz and /readyz.
#pragma once

#include <memory>

#include "apps/warpshare_scheduler/admission_part.h"
#include "cluster/service/scheduler_service.h"

namespace warpshare::app {

// On the client's loop.
class MetricsPart {
 public:
  // All of these outlive it.
  struct Ports {
    platform::EventLoop& loop;
    const cluster::SchedulerService& service;
    const AdmissionPart& admission;
    platform::Log& log;
  };

  // None where no port is named.
  static Result<std::unique_ptr<MetricsPart>> Start(Ports ports, const MetricsOptions& options);

 private:
  explicit MetricsPart(Ports ports) : ports_(ports) {}
  http::Response Answer(const http::Request& untrusted_request) const;

  const Ports ports_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace warpshare::app
