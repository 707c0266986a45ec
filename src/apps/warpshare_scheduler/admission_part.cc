#include "apps/warpshare_scheduler/admission_part.h"

#include <utility>

#include "abi/names/metrics.h"

namespace warpshare::app {

namespace {

constexpr platform::MetricFamily kReviews{abi::kMetricReviews,
                                          "Pods that the API server asked about, by the answer.",
                                          platform::MetricKind::kCounter};

constexpr platform::MetricFamily kCertificateExpiry{
    abi::kMetricCertificateExpiry,
    "When the certificate that the webhook shows ends, since 1970; it is made anew a month before.",
    platform::MetricKind::kGauge};

double Seconds(http::WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

Result<kube::ObjectName> ObjectOf(const char* flag, const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == text.size())
    return Fail(Errc::kInvalid, std::string(flag) + ' ' + text + ": write NAMESPACE/NAME");
  return kube::ObjectName{.space = text.substr(0, slash), .name = text.substr(slash + 1)};
}

// Who asks before would be judged by a part of the cluster, or told that its quota is not known.
webhook::Endpoint::WhyNotReady ReadinessOf(std::function<bool()> knows_cluster,
                                           const quota::QuotaBook& quotas) {
  return [knows_cluster = std::move(knows_cluster), &quotas]() -> std::string_view {
    if (!knows_cluster()) return "the cluster is not known yet";
    if (!quotas.quotas())
      return "the quotas were not read yet: see whether the ConfigMap of --quotas may be watched";
    return "";
  };
}

webhook::ServiceOptions WebhookOf(const AdmissionOptions& options, kube::ObjectName secret) {
  return {.address = options.address,
          .port = options.port,
          .terms = {.scheduler = options.scheduler,
                    .nvidia_gpu = webhook::ParseNvidiaGpu(options.nvidia_gpu)
                                      .value_or(webhook::NvidiaGpu::kAuto)},
          .certificates = {.secret = std::move(secret),
                           .configuration = options.webhook,
                           .wanted = {.names = options.names, .lives = {}}}};
}

}  // namespace

AdmissionPart::AdmissionPart(Ports ports, const AdmissionOptions& options, Names names)
    : has_webhook_(!options.webhook.empty()),
      cards_(ports.view, ports.clock, ports.knows_cluster),
      service_({.client = ports.client,
                .cards = cards_,
                .quotas = ports.quotas,
                .wall_clock = [] { return std::chrono::system_clock::now(); },
                .log = ports.log,
                .why_not_ready = ReadinessOf(ports.knows_cluster, ports.quotas)},
               WebhookOf(options, std::move(names.secret))) {
  if (options.quotas.empty())
    ports.quotas.SetQuotas({});
  else
    quota_watch_ =
        std::make_unique<quota::QuotaWatch>(ports.client, names.quotas, ports.quotas, ports.log);
}

Result<std::unique_ptr<AdmissionPart>> AdmissionPart::Start(Ports ports,
                                                            const AdmissionOptions& options) {
  Names names;
  auto secret = ObjectOf("--webhook-secret", options.secret);
  if (!secret) return Forward(secret);
  names.secret = std::move(*secret);
  if (!options.quotas.empty()) {
    auto quotas = ObjectOf("--quotas", options.quotas);
    if (!quotas) return Forward(quotas);
    names.quotas = std::move(*quotas);
  }
  std::unique_ptr<AdmissionPart> part(
      new AdmissionPart(std::move(ports), options, std::move(names)));
  if (part->quota_watch_ != nullptr) part->quota_watch_->Start();
  if (!options.webhook.empty()) part->service_.Start();
  return part;
}

void AdmissionPart::AddMetrics(platform::MetricPage& page) const {
  if (!has_webhook_) return;
  const webhook::AdmissionCounts& counts = service_.counts();
  const std::pair<const char*, uint64_t> outcomes[] = {
      {"untouched", counts.untouched},  {"completed", counts.completed},
      {"adopted", counts.adopted},      {"refused", counts.refused},
      {"over_quota", counts.forbidden}, {"unreadable", counts.unreadable}};
  for (const auto& [outcome, count] : outcomes)
    page.Add(kReviews, {{"outcome", outcome}}, static_cast<double>(count));
  if (const auto end = service_.certificate_end()) page.Add(kCertificateExpiry, {}, Seconds(*end));
}

void AdmissionPart::Stop(std::function<void()> stopped) {
  constexpr std::chrono::seconds kGrace{5};
  service_.Stop(kGrace, std::move(stopped));
}

}  // namespace warpshare::app
