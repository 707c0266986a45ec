#include "cluster/service/scheduler_service.h"

#include <utility>

#include "cluster/exporter/scheduler_page.h"
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
      nominator_(options_.nominates
                     ? std::make_optional<Nominator>(Nominator::Ports{.view = view_,
                                                                      .client = ports.client,
                                                                      .clock = ports.clock,
                                                                      .log = ports.log},
                                                     options_.nomination_limits)
                     : std::nullopt),
      extender_({.view = view_,
                 .client = ports.client,
                 .clock = ports.clock,
                 .log = ports.log,
                 .leads = [this] { return MayAnswer(); }},
                options_.times, nominator_ ? &*nominator_ : nullptr),
      waker_({.view = view_,
              .client = ports.client,
              .clock = ports.clock,
              .quotas = ports.quotas,
              .unseen = [this] { return nominator_ ? nominator_->unseen() : 0; }}),
      resizer_({.view = view_, .client = ports.client, .clock = ports.clock, .log = ports.log}),
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

void SchedulerService::Trouble(const Error& error) {
  if (std::exchange(last_trouble_, error.message) != error.message)
    ports_.log.Line(platform::LogText("lease-trouble", {{"error", error}}));
}

void SchedulerService::StartElection() {
  if (options_.beside) {
    beside_.emplace(Beside::Ports{.client = ports_.client,
                                  .clock = ports_.clock,
                                  .trouble = [this](const Error& error) { Trouble(error); }},
                    *options_.beside);
    beside_->Start();
  }
  if (!options_.election) return Lead(true);
  elector_ = std::make_unique<kube::Elector>(
      ports_.client, ports_.clock, *options_.election,
      kube::ElectorEvents{.leads = [this] { Lead(true); },
                          .lost = [this] { Lead(false); },
                          .trouble = [this](const Error& error) { Trouble(error); }});
  elector_->Start();
}

bool SchedulerService::MayAnswer() {
  if (beside_) return beside_->IsAwake();
  return elector_ == nullptr || elector_->IsLeader();
}

bool SchedulerService::Leads() const { return leads_ && (!beside_ || beside_->IsLeader()); }

void SchedulerService::Lead(bool leads) {
  leads_ = leads;
  last_trouble_.clear();
  ports_.log.Line(leads ? "leading" : "leading-no-more");
  extender_.Serve(leads_ && feed_.is_synced());
}

void SchedulerService::Tick() {
  if (!serves() && leads_ && feed_.is_synced()) extender_.Serve(true);
  expired_ += view_.Expire(static_cast<uint64_t>(
      std::chrono::nanoseconds(ports_.clock.Now().time_since_epoch()).count()));
  if (serves() && Leads()) {
    resizer_.Look();
    waker_.Look();
  }
  tick_.Set(kTick, [this] { Tick(); });
}

void SchedulerService::Handle(const http::Request& request, const http::Responder& responder) {
  if (Extender::IsPath(request.path)) return extender_.Handle(request, responder);
  if (request.path == "/healthz") return responder.Respond(http::Response::Text("ok\n"));
  if (request.path != "/readyz")
    return responder.Respond(
        http::Response::Text("there are /scheduler/, /healthz and /readyz\n", 404));
  MayAnswer();  // takes notice where the time of the lead is over
  const std::string_view why = WhyNotServing();
  responder.Respond(why.empty() ? http::Response::Text("serving\n")
                                : http::Response::Text(std::string(why) + '\n', 503));
}

std::string_view SchedulerService::WhyNotServing() const {
  if (serves() && beside_ && !beside_->has_looked()) return "the Lease cannot be read";
  if (serves()) return "";
  return feed_.is_synced() ? "standby: another one leads" : "the cluster is not known yet";
}

void SchedulerService::AddMetrics(std::chrono::system_clock::time_point now,
                                  platform::MetricPage& page) const {
  const SchedulerReading reading{
      .view = view_,
      .verbs = extender_.stats(),
      .leads = Leads(),
      .serves = serves() && Leads(),
      .binding = extender_.binding(),
      .expired = expired_,
      .nominations = nominator_ ? nominator_->counts() : NominationCounts{},
      .now_s = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count()};
  AddVerbs(reading, page);
  AddQueue(reading, page);
  AddLedger(view_, page);
  if (ports_.quotas != nullptr) AddQuotas(*ports_.quotas, page);
}

void SchedulerService::Stop(std::function<void()> stopped) {
  server_->Stop(kGrace, [this, stopped = std::move(stopped)] {
    extender_.Serve(false);
    elector_ != nullptr ? elector_->Release(stopped) : stopped();
  });
}

}  // namespace warpshare::cluster
