// Serves the node's metrics: GET /metrics, and beside it GET /healthz (this program answers) and
// GET /readyz (pods can start here, or what is missing for that). Everything else is refused.
// A thread of its own, so that a scrape holds nothing else up.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "node/exporter/node_metrics.h"
#include "platform/http/server.h"

namespace warpshare::node {

class Exporter {
 public:
  struct Setup {
    std::string address = "::";
    uint16_t port = 0;                     // 0: one that is free
    std::function<NodeReading()> read;     // on the exporter's thread, once a scrape
    std::function<std::string()> missing;  // the same, for /readyz; empty text: nothing
    std::string version = {};              // ours
  };
  static Result<std::unique_ptr<Exporter>> Start(Setup setup);
  ~Exporter();
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  uint16_t port() const { return port_; }

 private:
  explicit Exporter(Setup& setup)
      : read_(std::move(setup.read)),
        missing_(std::move(setup.missing)),
        version_(std::move(setup.version)) {}
  http::Response Answer(const http::Request& request);
  http::Response Ready() const;

  const std::function<NodeReading()> read_;
  const std::function<std::string()> missing_;
  const std::string version_;
  TenantTotals totals_;
  platform::EventLoop loop_;
  std::unique_ptr<http::Server> server_;
  uint16_t port_ = 0;
  std::thread thread_;
};

// These outlive what is made of them.
struct ReaderSources {
  const CardView& cards;
  const StateDir& state;
  AssignmentSource& pods;
  const TakenCards& taken;
  const Readiness& readiness;
};

// From the node's own folders and what is known of its cards: the driver is not asked, for its
// answer may not come.
std::function<NodeReading()> ReaderOf(std::string node, const ReaderSources& sources);

}  // namespace warpshare::node
