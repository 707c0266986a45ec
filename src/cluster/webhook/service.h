// The webhook as a service: listens as soon as it has a certificate, and shows each new one to new
// connections without being started anew. Every replica serves, whoever leads. On the loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cluster/webhook/admission.h"
#include "cluster/webhook/certificate_keeper.h"
#include "cluster/webhook/door.h"
#include "cluster/webhook/endpoint.h"

namespace warpshare::webhook {

struct ServiceOptions {
  std::string address = "::";
  uint16_t port = 8443;
  AdmissionTerms terms;
  KeeperOptions certificates;
};

class Service {
 public:
  // All of these outlive it.
  struct Ports {
    kube::Client& client;
    const Cards& cards;
    const quota::QuotaBook& quotas;
    CertificateKeeper::WallClock wall_clock;
    platform::Log& log;
    // What /readyz says: whoever asks before would be judged by a part of the cluster.
    Endpoint::WhyNotReady why_not_ready = [] { return std::string_view(); };
  };

  Service(Ports ports, ServiceOptions options);

  void Start() { keeper_.Start(); }

  bool is_listening() const { return door_ != nullptr; }
  // The API server has what it needs to believe it.
  bool is_believed() const { return keeper_.is_bundle_out(); }
  // Of what it shows; none: it has nothing to show yet.
  std::optional<http::WallTime> certificate_end() const { return keeper_.served_until(); }
  uint16_t port() const { return door_ == nullptr ? 0 : door_->port(); }
  const AdmissionCounts& counts() const { return endpoint_.counts(); }

  // Answers what is being asked, for up to `grace`; then calls `stopped`.
  void Stop(std::chrono::milliseconds grace, std::function<void()> stopped);

 private:
  Result<void> Serve(const http::Identity& identity);

  const Ports ports_;
  const ServiceOptions options_;
  const Admission admission_;
  Endpoint endpoint_;
  std::unique_ptr<Door> door_;
  CertificateKeeper keeper_;
};

}  // namespace warpshare::webhook
