#include <yaml-cpp/yaml.h>

#include "platform/descriptor/descriptor.h"
#include "platform/kube/config.h"
#include "types/base64.h"

namespace warpshare::kube {
namespace {

constexpr size_t kMostBytes = 1024 * 1024;

std::string Text(const YAML::Node& node, const char* name) {
  const YAML::Node found = node[name];
  return found.IsDefined() && found.IsScalar() ? found.Scalar() : "";
}

// What a name stands for, and the folder of the file that says so.
struct Found {
  YAML::Node node;
  std::string folder;
};

// A file that has been read.
struct Source {
  YAML::Node whole;
  std::string folder;
};

// The entry of a list of {name, <what>} pairs.
Found Named(const std::vector<Source>& sources, const char* list, const char* what,
            const std::string& name) {
  for (const Source& source : sources) {
    const YAML::Node entries = source.whole[list];
    if (!entries.IsDefined() || !entries.IsSequence()) continue;
    for (const YAML::Node& entry : entries) {
      if (entry.IsMap() && Text(entry, "name") == name && entry[what].IsMap())
        return {entry[what], source.folder};
    }
  }
  return {};
}

std::string CurrentContext(const std::vector<Source>& sources) {
  for (const Source& source : sources)
    if (std::string name = Text(source.whole, "current-context"); !name.empty()) return name;
  return "";
}

std::string NamesOfContexts(const std::vector<Source>& sources) {
  std::string names;
  for (const Source& source : sources) {
    const YAML::Node contexts = source.whole["contexts"];
    if (!contexts.IsDefined() || !contexts.IsSequence()) continue;
    for (const YAML::Node& entry : contexts)
      if (entry.IsMap()) names += (names.empty() ? "" : ", ") + Text(entry, "name");
  }
  return names.empty() ? "none" : names;
}

std::string InFolder(const std::string& path, const std::string& folder) {
  return path.empty() || path.starts_with('/') ? path : folder + '/' + path;
}

// `<name>-data` in base64, or the file that `<name>` names.
Result<std::string> Material(const YAML::Node& from, const std::string& name,
                             const std::string& folder) {
  if (const std::string data = Text(from, (name + "-data").c_str()); !data.empty()) {
    auto text = FromBase64(data);
    if (!text) return Fail(Errc::kInvalid, name + "-data: not base64");
    return std::move(*text);
  }
  const std::string path = InFolder(Text(from, name.c_str()), folder);
  return path.empty() ? Result<std::string>("") : platform::ReadMountedFile(path, kMostBytes);
}

Result<void> UseCluster(Config& config, const YAML::Node& cluster, const std::string& folder) {
  if (auto used = UseServer(config, Text(cluster, "server")); !used) return used;
  if (Text(cluster, "insecure-skip-tls-verify") == "true") {
    return Fail(Errc::kInvalid, "insecure-skip-tls-verify is not supported: give the authority");
  }
  config.server_name = Text(cluster, "tls-server-name");
  auto authorities = Material(cluster, "certificate-authority", folder);
  if (!authorities) return Forward(authorities);
  config.authorities = std::move(*authorities);
  return {};
}

// A path is relative to the file, a name is looked for in PATH.
std::string CommandIn(const std::string& command, const std::string& folder) {
  return command.find('/') == std::string::npos ? command : InFolder(command, folder);
}

Result<ExecPlugin> ReadExec(const YAML::Node& exec, const std::string& folder) {
  ExecPlugin plugin{.api_version = Text(exec, "apiVersion"),
                    .command = CommandIn(Text(exec, "command"), folder),
                    .arguments = {},
                    .environment = {},
                    .wants_cluster = Text(exec, "provideClusterInfo") == "true",
                    .install_hint = Text(exec, "installHint")};
  if (plugin.command.empty()) return Fail(Errc::kInvalid, "exec: no command");
  if (!plugin.api_version.starts_with("client.authentication.k8s.io/"))
    return Fail(Errc::kInvalid, "exec: not an apiVersion: \"" + plugin.api_version + '"');
  for (const YAML::Node& argument : exec["args"]) plugin.arguments.push_back(argument.Scalar());
  for (const YAML::Node& variable : exec["env"])
    plugin.environment.emplace_back(Text(variable, "name"), Text(variable, "value"));
  const std::string interaction = Text(exec, "interactiveMode");
  using Interaction = ExecPlugin::Interaction;
  plugin.interaction = interaction == "Never"    ? Interaction::kNever
                       : interaction == "Always" ? Interaction::kAlways
                                                 : Interaction::kIfAvailable;
  return plugin;
}

Result<void> UseUser(Config& config, const YAML::Node& user, const std::string& folder) {
  if (user["auth-provider"].IsDefined()) {
    return Fail(Errc::kInvalid,
                "auth-provider is not supported, and no longer by Kubernetes: use exec, a token or "
                "a client certificate");
  }
  if (user["exec"].IsDefined()) {
    auto plugin = ReadExec(user["exec"], folder);
    if (!plugin) return Forward(plugin);
    config.exec = std::move(*plugin);
  }
  config.token = Text(user, "token");
  config.token_path = InFolder(Text(user, "tokenFile"), folder);
  auto certificates = Material(user, "client-certificate", folder);
  if (!certificates) return Forward(certificates);
  auto key = Material(user, "client-key", folder);
  if (!key) return Forward(key);
  config.identity = {std::move(*certificates), std::move(*key)};
  return {};
}

Failure NoSuchContext(const std::vector<Source>& sources, const std::string& asked) {
  const std::string known = "; the contexts are: " + NamesOfContexts(sources);
  if (!asked.empty()) return Fail(Errc::kNotFound, "no context \"" + asked + '"' + known);
  const std::string current = CurrentContext(sources);
  return Fail(Errc::kInvalid, current.empty() ? "no current-context: name one by --context" + known
                                              : "current-context \"" + current +
                                                    "\" is not among the contexts" + known);
}

Result<Config> Read(const std::vector<Source>& sources, const std::string& asked) {
  const std::string name = asked.empty() ? CurrentContext(sources) : asked;
  const Found context = Named(sources, "contexts", "context", name);
  if (!context.node.IsMap()) return NoSuchContext(sources, asked);
  const std::string cluster_name = Text(context.node, "cluster");
  const Found cluster = Named(sources, "clusters", "cluster", cluster_name);
  if (!cluster.node.IsMap()) return Fail(Errc::kInvalid, "no cluster \"" + cluster_name + '"');
  Config config;
  if (auto used = UseCluster(config, cluster.node, cluster.folder); !used) return Forward(used);
  const Found user = Named(sources, "users", "user", Text(context.node, "user"));
  if (user.node.IsMap()) {
    if (auto used = UseUser(config, user.node, user.folder); !used) return Forward(used);
  }
  if (std::string space = Text(context.node, "namespace"); !space.empty()) {
    config.space = std::move(space);
  }
  config.source = "context " + name;
  return config;
}

}  // namespace

// The library throws; its exceptions end here.
Result<Config> ParseKubeconfig(const std::vector<KubeconfigText>& texts,
                               const std::string& context) {
  try {
    std::vector<Source> sources;
    for (const KubeconfigText& text : texts) {
      sources.push_back({YAML::Load(text.yaml), text.folder});
      if (!sources.back().whole.IsMap()) return Fail(Errc::kInvalid, "not a kubeconfig");
    }
    return Read(sources, context);
  } catch (const std::exception& error) {
    return Fail(Errc::kInvalid, std::string("not a kubeconfig: ") + error.what());
  }
}

}  // namespace warpshare::kube
