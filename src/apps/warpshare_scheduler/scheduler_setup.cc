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

std::string IdentityOf(const SchedulerOptions& options) {
  if (!options.identity.empty()) return options.identity;
  char machine[256] = {};
  gethostname(machine, sizeof(machine) - 1);
  return std::string(machine) + '_' + std::to_string(getpid());
}

Result<kube::ElectorOptions> ElectionOf(const SchedulerOptions& options) {
  const size_t slash = options.lease.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == options.lease.size())
    return Fail(Errc::kInvalid, "--lease " + options.lease + ": write NAMESPACE/NAME");
  return kube::ElectorOptions{
      .lease = {.space = options.lease.substr(0, slash), .name = options.lease.substr(slash + 1)},
      .identity = IdentityOf(options),
      .times = {}};
}

}  // namespace

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
  if (options.is_alone) return service;
  auto election = ElectionOf(options);
  if (!election) return Forward(election);
  service.election = std::move(*election);
  return service;
}

}  // namespace warpshare::app
