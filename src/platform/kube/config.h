// Where the API server is and how to prove who we are. Tokens and authorities that live in files
// are read again by the Client, since the kubelet replaces them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/http/tls.h"
#include "result/result.h"

namespace warpshare::kube {

struct Config {
  std::string host;
  uint16_t port = 443;
  bool tls = true;
  std::string server_name;  // "": the host

  // A path wins over the text beside it.
  std::string authorities;
  std::string authorities_path;
  std::string token;
  std::string token_path;
  http::Identity identity;

  std::string space = "default";  // the namespace to use when none is named
};

// What the kubelet gives every pod. `folder` is where the service account is mounted.
inline constexpr std::string_view kServiceAccountFolder =
    "/var/run/secrets/kubernetes.io/serviceaccount";
Result<Config> InClusterConfig(const std::string& folder = std::string(kServiceAccountFolder));

// "https://10.0.0.1:6443", "http://[::1]:8080/"; a path after the host is refused.
Result<void> UseServer(Config& config, std::string_view url);

// The current context of a kubeconfig file: server, authority, token, token file, client
// certificate. What needs a program to be run (exec, auth-provider) is refused with that reason.
Result<Config> ReadKubeconfig(const std::string& path);
Result<Config> ParseKubeconfig(const std::string& yaml, const std::string& folder);

}  // namespace warpshare::kube
