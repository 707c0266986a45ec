#include "cluster/service/scheduler_service.h"

#include <utility>

#include "platform/log_file/log_words.h"

namespace warpshare::cluster {

namespace {

// How late a reservation may expire, and how late a complete view is noticed.
constexpr std::chrono::milliseconds kTick{100};
// For requests under way at the end; less than the 30 s that Kubernetes gives a pod.
constexpr std::chrono::milliseconds kGrace{10'000};

}  // namespace

SchedulerService::SchedulerService(Ports ports, ServiceOptions options)
    : ports_(ports),
      options_(std::move(options)),
      quota_gate_(ports.quotas == nullptr ? std::nullopt : std::optional<QuotaGate>(*ports.quotas)),
      view_(ports.log, quota_gate_ ? &*quota_gate_ : nullptr),
      feed_(ports.client, view_, ports.log),
      extender_({.view = view_, .client = ports.client, .clock = ports.clock, .log = ports.log},
                options_.times),
      waker_({.view = view_, .client = ports.client, .clock = ports.clock}),
      tick_(ports.client.loop()) {}

Result<std::unique_ptr<SchedulerService>> SchedulerService::Open(Ports ports,
                                                                 ServiceOptions options) {
  std::unique_ptr<SchedulerService> service(new SchedulerService(ports, std::move(options)));
  if (auto listens = service->Listen(); !listens) return Forward(listens);
  service->feed_.Start();
  service->StartElection();
  service->Tick();
  return service;
}

Result<void> SchedulerService::Listen() {
  http::ServerOptions listen = options_.listen;
  listen.limits.message.body_bytes = kMaxBodyBytes;
  auto server =
      http::Server::Listen(ports_.client.loop(), std::move(listen),
                           [this](const http::Request& request, const http::Responder& responder) {
                             Handle(request, responder);
                           });
  if (!server) return Forward(server);
  server_ = std::move(*server);
  ports_.log.Line(platform::LogText(
      "listening", {{"address", options_.listen.address}, {"port", unsigned{port()}}}));
  return {};
}

void SchedulerService::StartElection() {
  if (!options_.election) return Lead(true);
  elector_ = std::make_unique<kube::Elector>(
      ports_.client, ports_.clock, *options_.election,
      kube::ElectorEvents{.leads = [this] { Lead(true); },
                          .lost = [this] { Lead(false); },
                          .trouble =
                              [this](const Error& error) {
                                if (std::exchange(last_trouble_, error.message) != error.message)
                                  ports_.log.Line(
                                      platform::LogText("lease-trouble", {{"error", error}}));
                              }});
  elector_->Start();
}

void SchedulerService::Lead(bool leads) {
  leads_ = leads;
  last_trouble_.clear();
  ports_.log.Line(leads ? "leading" : "leading-no-more");
  extender_.Serve(leads_ && feed_.is_synced());
}

void SchedulerService::Tick() {
  if (!serves() && leads_ && feed_.is_synced()) extender_.Serve(true);
  view_.Expire(static_cast<uint64_t>(
      std::chrono::nanoseconds(ports_.clock.Now().time_since_epoch()).count()));
  if (serves()) waker_.Look();
  tick_.Set(kTick, [this] { Tick(); });
}

void SchedulerService::Handle(const http::Request& request, const http::Responder& responder) {
  if (Extender::IsPath(request.path)) return extender_.Handle(request, responder);
  if (request.path == "/healthz") return responder.Respond(http::Response::Text("ok\n"));
  if (request.path == "/readyz") return responder.Respond(Ready());
  responder.Respond(http::Response::Text("there are /scheduler/, /healthz and /readyz\n", 404));
}

http::Response SchedulerService::Ready() const {
  if (serves()) return http::Response::Text("serving\n");
  if (!feed_.is_synced()) return http::Response::Text("the cluster is not known yet\n", 503);
  return http::Response::Text("standby: another one leads\n", 503);
}

void SchedulerService::Stop(std::function<void()> stopped) {
  server_->Stop(kGrace, [this, stopped = std::move(stopped)] {
    extender_.Serve(false);
    elector_ != nullptr ? elector_->Release(stopped) : stopped();
  });
}

}  // namespace warpshare::cluster
