#include "cluster/webhook/service.h"

#include <utility>

#include "platform/log_file/log_words.h"

namespace warpshare::webhook {

namespace {

// A review holds a pod, and an object of the API server's has at most 3 MiB.
constexpr http::MessageLimits kReviewLimits{.header_bytes = 16 * 1024,
                                            .body_bytes = 7 * 1024 * 1024};

}  // namespace

Service::Service(Ports ports, ServiceOptions options)
    : ports_(std::move(ports)),
      options_(std::move(options)),
      admission_(ports_.cards, ports_.quotas, options_.terms),
      endpoint_(admission_, ports_.why_not_ready),
      keeper_(
          ports_.client, options_.certificates, ports_.wall_clock,
          [this](const http::Identity& identity) { return Serve(identity); }, ports_.log) {}

Result<void> Service::Serve(const http::Identity& identity) {
  const http::ServerTls tls{.identity = identity, .client_authorities = ""};
  if (door_ != nullptr) return door_->UseTls(tls);
  auto door = Door::Open(ports_.client.loop(),
                         {.address = options_.address,
                          .port = options_.port,
                          .tls = tls,
                          .limits = {.message = kReviewLimits}},
                         [this](Asked asked) { return endpoint_.Answer(std::move(asked)); });
  if (!door) return Forward(door);
  door_ = std::move(*door);
  ports_.log.Line(platform::LogText("webhook-listening", {{"port", unsigned{door_->port()}}}));
  return {};
}

void Service::Stop(std::chrono::milliseconds grace, std::function<void()> stopped) {
  if (door_ == nullptr) return ports_.client.loop().Post(std::move(stopped));
  door_->Stop(grace, std::move(stopped));
}

}  // namespace warpshare::webhook
