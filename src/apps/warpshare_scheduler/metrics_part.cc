#include "apps/warpshare_scheduler/metrics_part.h"

#include "platform/log_file/log_words.h"
#include "platform/metrics/build_info.h"

namespace warpshare::app {

namespace {

// A scrape is a line; nobody has more to say here.
constexpr http::ServerLimits kLimits{.message = {.header_bytes = 8 * 1024, .body_bytes = 1024},
                                     .connections = 32};

}  // namespace

Result<std::unique_ptr<MetricsPart>> MetricsPart::Start(Ports ports,
                                                        const MetricsOptions& options) {
  if (!options.port) return nullptr;
  std::unique_ptr<MetricsPart> part(new MetricsPart(ports));
  auto server = http::Server::Listen(
      ports.loop, {.address = options.address, .port = *options.port, .tls = {}, .limits = kLimits},
      [self = part.get()](const http::Request& request, const http::Responder& responder) {
        responder.Respond(self->Answer(request));
      });
  if (!server) return Forward(server);
  part->server_ = std::move(*server);
  ports.log.Line(
      platform::LogText("metrics-listening",
                        {{"address", options.address}, {"port", unsigned{part->server_->port()}}}));
  return part;
}

http::Response MetricsPart::Answer(const http::Request& request) const {
  if (request.method != "GET") return http::Response::Text("only GET\n", 405);
  if (request.path == "/healthz") return http::Response::Text("ok\n");
  if (request.path == "/readyz") {
    const std::string_view why = ports_.service.WhyNotServing();
    return why.empty() ? http::Response::Text("serving\n")
                       : http::Response::Text(std::string(why) + '\n', 503);
  }
  if (request.path != "/metrics") return http::Response::Text("see /metrics\n", 404);
  platform::MetricPage page;
  ports_.service.AddMetrics(std::chrono::system_clock::now(), page);
  ports_.admission.AddMetrics(page);
  platform::AddBuildInfo(WARPSHARE_VERSION, page);
  http::Response response;
  response.headers.Add("Content-Type", platform::MetricPage::kContentType);
  response.body = page.Text();
  return response;
}

}  // namespace warpshare::app
