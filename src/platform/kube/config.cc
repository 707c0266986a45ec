#include "platform/kube/config.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "platform/descriptor/descriptor.h"
#include "platform/kube/exec_plugin.h"

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

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// kubectl skips files of $KUBECONFIG that are not there.
std::vector<std::string> FilesThatAreThere(std::string_view between_colons) {
  std::vector<std::string> files;
  while (!between_colons.empty()) {
    const std::string_view path = between_colons.substr(0, between_colons.find(':'));
    between_colons.remove_prefix(std::min(path.size() + 1, between_colons.size()));
    if (!path.empty() && access(std::string(path).c_str(), F_OK) == 0) files.emplace_back(path);
  }
  return files;
}

Result<Config> Proven(Result<Config> config) {
  if (!config || !config->exec) return config;
  if (auto proven = RunExecPlugin(*config); !proven)
    return Fail(proven.error().code, config->source + ": " + proven.error().message);
  return config;
}

Result<Config> ReadFiles(const std::vector<std::string>& paths, const std::string& context) {
  std::vector<KubeconfigText> texts;
  std::string names;
  for (const std::string& path : paths) {
    auto text = platform::ReadMountedFile(path, kMostBytes);
    if (!text) return Forward(text);
    texts.push_back({std::move(*text), FolderOf(path)});
    names += (names.empty() ? "" : ":") + path;
  }
  auto config = ParseKubeconfig(texts, context);
  if (!config) return Fail(config.error().code, names + ": " + config.error().message);
  config->source += " of " + names;
  return config;
}

// What may stand in a request as it is.
bool IsPath(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return c > ' ' && c < 127 && c != '?' && c != '#'; });
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
  const size_t path = std::min(rest.find('/'), rest.size());
  config.path = rest.substr(path);
  rest = rest.substr(0, path);
  const bool bracketed = rest.starts_with('[');
  const size_t host_end = bracketed ? rest.find(']') : rest.find(':');
  if (bracketed && host_end == std::string_view::npos) return bad;
  config.host = bracketed ? rest.substr(1, host_end - 1) : rest.substr(0, host_end);
  const std::string_view port =
      bracketed ? rest.substr(host_end + 1)
                : rest.substr(host_end == std::string_view::npos ? rest.size() : host_end);
  config.port = config.tls ? 443 : 80;
  const bool good_port = port.empty() || (port[0] == ':' && ReadPort(port.substr(1), config.port));
  const bool good_host =
      !config.host.empty() && config.host.find_first_of("?#@ ") == std::string::npos;
  if (!good_host || !good_port || !IsPath(config.path)) return bad;
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

Result<Config> ReadKubeconfig(const std::string& path, const std::string& context) {
  auto config = ReadFiles({path}, context);
  if (config && config->exec) {
    return Fail(Errc::kInvalid, path + ": a daemon cannot be a user of \"exec\" (" +
                                    config->exec->command +
                                    "): give it a service account's token or a certificate");
  }
  return config;
}

Result<Config> FindConfig(const std::string& path, const std::string& context) {
  if (!path.empty()) return Proven(ReadFiles({path}, context));
  if (const char* named = std::getenv("KUBECONFIG"); named != nullptr && *named != '\0') {
    const std::vector<std::string> files = FilesThatAreThere(named);
    if (files.empty())
      return Fail(Errc::kNotFound, "KUBECONFIG=" + std::string(named) +
                                       ": no such file: name one there, or by --kubeconfig");
    return Proven(ReadFiles(files, context));
  }
  const char* home = std::getenv("HOME");
  const std::vector<std::string> files =
      FilesThatAreThere(home == nullptr ? "" : std::string(home) + "/.kube/config");
  if (!files.empty()) return Proven(ReadFiles(files, context));
  if (context.empty()) {
    if (auto config = InClusterConfig()) return config;
  }
  return Fail(Errc::kNotFound,
              "no kubeconfig: neither --kubeconfig nor KUBECONFIG is given, and there is no "
              "~/.kube/config: name the file that kubectl uses");
}

}  // namespace warpshare::kube
