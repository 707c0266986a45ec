#include "node/exporter/exporter.h"

#include <algorithm>

#include "node/tenancy/container_tenant.h"
#include "platform/metrics/build_info.h"

namespace warpshare::node {

namespace {

// A scrape is a line; nobody has more to say here.
constexpr http::ServerLimits kLimits{.message = {.header_bytes = 8 * 1024, .body_bytes = 1024},
                                     .connections = 32};

PodOfTenant PodOf(const std::string& tenant, const std::vector<ContainerTenant>& containers) {
  const auto at = std::ranges::find(containers, tenant, &ContainerTenant::name);
  if (at == containers.end()) return {};
  const ContainerClaim& claim = at->claim;
  return {.name_space = claim.pod_namespace, .pod = claim.pod_name, .container = claim.container};
}

}  // namespace

Result<std::unique_ptr<Exporter>> Exporter::Start(Setup setup) {
  std::unique_ptr<Exporter> exporter(new Exporter(setup));
  const auto answer = [self = exporter.get()](const http::Request& request,
                                              const http::Responder& responder) {
    responder.Respond(self->Answer(request));
  };
  auto server = http::Server::Listen(
      exporter->loop_, {.address = setup.address, .port = setup.port, .tls = {}, .limits = kLimits},
      answer);
  if (!server) return Forward(server);
  exporter->server_ = std::move(*server);
  exporter->port_ = exporter->server_->port();
  exporter->thread_ = std::thread([loop = &exporter->loop_] { loop->Run(); });
  return exporter;
}

// Told on the loop: its thread may not have begun to run it, and would not hear of it before.
Exporter::~Exporter() {
  loop_.Post([this] { loop_.Stop(); });
  if (thread_.joinable()) thread_.join();
}

http::Response Exporter::Ready() const {
  const std::string missing = missing_();
  return missing.empty() ? http::Response::Text("ok\n") : http::Response::Text(missing + "\n", 503);
}

http::Response Exporter::Answer(const http::Request& request) {
  if (request.method != "GET") return http::Response::Text("only GET\n", 405);
  if (request.path == "/healthz") return http::Response::Text("ok\n");
  if (request.path == "/readyz") return Ready();
  if (request.path != "/metrics") return http::Response::Text("see /metrics\n", 404);
  const NodeReading reading = read_();
  totals_.Look(reading.tenants);
  http::Response response;
  response.headers.Add("Content-Type", platform::MetricPage::kContentType);
  platform::MetricPage page = PageOf(reading, totals_);
  platform::AddBuildInfo(version_, page);
  response.body = page.Text();
  return response;
}

std::function<NodeReading()> ReaderOf(std::string node, const ReaderSources& sources) {
  return [node = std::move(node), sources] {
    NodeReading reading{.node = node,
                        .cards = sources.cards.Cards(),
                        .tenants = ReportTenants(sources.state),
                        .pods = {},
                        .held = {}};
    const std::vector<ContainerTenant> containers = ContainerTenants(sources.state);
    reading.held = FindHeldParts(sources.pods, containers, sources.taken);
    reading.taken = sources.taken.Now();
    reading.starts = sources.readiness.starts();
    for (const TenantReport& tenant : reading.tenants)
      reading.pods.push_back(PodOf(tenant.name, containers));
    return reading;
  };
}

}  // namespace warpshare::node
