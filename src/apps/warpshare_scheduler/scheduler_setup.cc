#include "apps/warpshare_scheduler/scheduler_setup.h"

#include <unistd.h>

#include <utility>

#include "platform/descriptor/descriptor.h"

namespace warpshare::app {

namespace {

constexpr size_t kMostPemBytes = 1 << 20;

Result<std::string> ReadPem(const std::string& path) {
  if (path.empty()) return std::string();
  return platform::ReadMountedFile(path, kMostPemBytes);
}

Result<std::optional<http::ServerTls>> TlsOf(const SchedulerOptions& options) {
  if (options.certificate.empty()) return std::nullopt;
  auto certificate = ReadPem(options.certificate);
  if (!certificate) return Forward(certificate);
  auto key = ReadPem(options.key);
  if (!key) return Forward(key);
  auto authorities = ReadPem(options.client_authorities);
  if (!authorities) return Forward(authorities);
  return http::ServerTls{
      .identity = {.certificates = std::move(*certificate), .key = std::move(*key)},
      .client_authorities = std::move(*authorities)};
}

std::string Host() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return host;
}

std::string IdentityOf(const SchedulerOptions& options) {
  if (!options.identity.empty()) return options.identity;
  return Host() + '_' + std::to_string(getpid());
}

Result<kube::ObjectName> ObjectOf(const char* flag, const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == text.size())
    return Fail(Errc::kInvalid, std::string(flag) + ' ' + text + ": write NAMESPACE/NAME");
  return kube::ObjectName{.space = text.substr(0, slash), .name = text.substr(slash + 1)};
}

Result<kube::ElectorOptions> ElectionOf(const SchedulerOptions& options) {
  auto lease = ObjectOf("--lease", options.lease);
  if (!lease) return Forward(lease);
  return kube::ElectorOptions{
      .lease = std::move(*lease), .identity = IdentityOf(options), .times = {}};
}

}  // namespace

Result<platform::LogFile> LogOf(const SchedulerOptions& options) {
  if (options.log.empty()) return platform::LogFile();
  return platform::LogFile::Open(options.log);
}

Result<kube::Config> ApiServerOf(const SchedulerOptions& options) {
  if (!options.kubeconfig.empty()) return kube::ReadKubeconfig(options.kubeconfig);
  if (options.server.empty()) return kube::InClusterConfig();
  kube::Config config;
  if (auto used = kube::UseServer(config, options.server); !used) return Forward(used);
  return config;
}

Result<cluster::ServiceOptions> ServiceOf(const SchedulerOptions& options) {
  auto tls = TlsOf(options);
  if (!tls) return Forward(tls);
  cluster::ServiceOptions service;
  service.listen.address = options.address;
  service.listen.port = options.port;
  service.listen.tls = std::move(*tls);
  service.nominates = !options.nominates_nothing;
  if (options.is_alone) return service;
  if (!options.beside.empty()) {
    auto lease = ObjectOf("--beside", options.beside);
    if (!lease) return Forward(lease);
    service.beside = cluster::BesideOptions{.lease = std::move(*lease), .host = Host()};
    return service;
  }
  auto election = ElectionOf(options);
  if (!election) return Forward(election);
  service.election = std::move(*election);
  return service;
}

}  // namespace warpshare::app
