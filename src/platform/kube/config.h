// Where the API server is and how to prove who we are. Tokens and authorities that live in files
// are read again by the Client, since the kubelet replaces them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/http/tls.h"
#include "result/result.h"

namespace warpshare::kube {

// `exec` of a user: a program that is run to prove who he is (exec_plugin.h).
struct ExecPlugin {
  enum class Interaction : uint8_t { kNever, kIfAvailable, kAlways };

  std::string api_version;
  std::string command;  // a name to look for in PATH, or a path
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // beside ours
  Interaction interaction = Interaction::kIfAvailable;
  bool wants_cluster = false;
  std::string install_hint;  // what to do when it is not there
};

struct Config {
  std::string host;
  uint16_t port = 443;
  bool tls = true;
  std::string path;         // before that of every request, as a proxy of many clusters has it
  std::string server_name;  // "": the host

  // A path wins over the text beside it.
  std::string authorities;
  std::string authorities_path;
  std::string token;
  std::string token_path;
  http::Identity identity;
  std::optional<ExecPlugin> exec;  // not run yet

  std::string space = "default";  // the namespace to use when none is named
  std::string source;             // "context lab of FILE", for error texts
};

// What the kubelet gives every pod. `folder` is where the service account is mounted.
inline constexpr std::string_view kServiceAccountFolder =
    "/var/run/secrets/kubernetes.io/serviceaccount";
Result<Config> InClusterConfig(const std::string& folder = std::string(kServiceAccountFolder));

// "https://10.0.0.1:6443", "http://[::1]:8080/", "https://rancher.example/k8s/clusters/c-1".
Result<void> UseServer(Config& config, std::string_view url);

// A context of a kubeconfig file, the current one if none is named: server, authority, token, token
// file, client certificate. For daemons: a user whom a program has to prove (exec, auth-provider)
// is refused, as that lasts for minutes only.
Result<Config> ReadKubeconfig(const std::string& path, const std::string& context = "");

// As kubectl finds it: `path` if one is named, else the files that $KUBECONFIG has between colons,
// else ~/.kube/config, and where there is none, as a pod of the cluster. For programs that a user
// starts: runs what `exec` names, which may ask the user.
Result<Config> FindConfig(const std::string& path, const std::string& context);

// One file's text, and the folder that its relative paths start from.
struct KubeconfigText {
  std::string yaml = {};
  std::string folder = {};
};
// Of several, the first that has a name, or a current context, wins.
Result<Config> ParseKubeconfig(const std::vector<KubeconfigText>& texts,
                               const std::string& context = "");

}  // namespace warpshare::kube
