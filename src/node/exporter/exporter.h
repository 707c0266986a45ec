// Serves the node's metrics: GET /metrics, and GET /healthz beside it. Everything else is refused.
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
    std::string address = "0.0.0.0";
    uint16_t port = 0;                  // 0: one that is free
    std::function<NodeReading()> read;  // on the exporter's thread, once a scrape
  };
  static Result<std::unique_ptr<Exporter>> Start(Setup setup);
  ~Exporter();
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  uint16_t port() const { return port_; }

 private:
  explicit Exporter(std::function<NodeReading()> read) : read_(std::move(read)) {}
  http::Response Answer(const http::Request& request);

  const std::function<NodeReading()> read_;
  TenantTotals totals_;
  platform::EventLoop loop_;
  std::unique_ptr<http::Server> server_;
  uint16_t port_ = 0;
  std::thread thread_;
};

// From the node's own folders. `cards` and `state` outlive what is returned; `look` asks the driver
// what is in use.
std::function<NodeReading()> ReaderOf(std::string node, const CardView& cards,
                                      const StateDir& state,
                                      std::function<Result<std::vector<platform::Card>>()> look);

}  // namespace warpshare::node
