#include "platform/kube/config.h"

#include <charconv>
#include <cstdlib>

#include "platform/descriptor/descriptor.h"

namespace warpshare::kube {
namespace {

constexpr size_t kMostBytes = 1024 * 1024;

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool ReadPort(std::string_view text, uint16_t& port) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, port);
  return read.ec == std::errc() && read.ptr == end && port != 0;
}

}  // namespace

Result<void> UseServer(Config& config, std::string_view url) {
  const Failure bad =
      Fail(Errc::kInvalid, "not the address of an API server: \"" + std::string(url) +
                               "\"; it looks like https://host:6443");
  std::string_view rest = url;
  config.tls = TakePrefix(rest, "https://");
  if (!config.tls && !TakePrefix(rest, "http://")) return bad;
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const bool bracketed = rest.starts_with('[');
  const size_t host_end = bracketed ? rest.find(']') : rest.find(':');
  if (bracketed && host_end == std::string_view::npos) return bad;
  config.host = bracketed ? rest.substr(1, host_end - 1) : rest.substr(0, host_end);
  const std::string_view port =
      bracketed ? rest.substr(host_end + 1)
                : rest.substr(host_end == std::string_view::npos ? rest.size() : host_end);
  config.port = config.tls ? 443 : 80;
  const bool good_port = port.empty() || (port[0] == ':' && ReadPort(port.substr(1), config.port));
  if (config.host.empty() || config.host.find_first_of("/?#@ ") != std::string::npos ||
      !good_port) {
    return bad;
  }
  return {};
}

Result<Config> InClusterConfig(const std::string& folder) {
  const char* host = std::getenv("KUBERNETES_SERVICE_HOST");
  const char* port = std::getenv("KUBERNETES_SERVICE_PORT");
  Config config;
  if (host == nullptr || port == nullptr || !ReadPort(port, config.port)) {
    return Fail(Errc::kNotFound,
                "not in a cluster (no KUBERNETES_SERVICE_HOST and _PORT): give a kubeconfig");
  }
  config.host = host;
  config.authorities_path = folder + "/ca.crt";
  config.token_path = folder + "/token";
  if (auto space = platform::ReadMountedFile(folder + "/namespace", kMostBytes); space) {
    while (space->ends_with('\n')) space->pop_back();
    if (!space->empty()) config.space = std::move(*space);
  }
  return config;
}

Result<Config> ReadKubeconfig(const std::string& path) {
  const auto text = platform::ReadMountedFile(path, kMostBytes);
  if (!text) return Fail(text.error());
  const size_t slash = path.rfind('/');
  auto config = ParseKubeconfig(*text, slash == std::string::npos ? "." : path.substr(0, slash));
  if (!config) return Fail(config.error().code, path + ": " + config.error().message);
  return config;
}

}  // namespace warpshare::kube
