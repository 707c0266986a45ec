#include <openssl/evp.h>
#include <yaml-cpp/yaml.h>

#include "platform/descriptor/descriptor.h"
#include "platform/kube/config.h"

namespace warpshare::kube {
namespace {

constexpr size_t kMostBytes = 1024 * 1024;

std::string Text(const YAML::Node& node, const char* name) {
  const YAML::Node found = node[name];
  return found.IsDefined() && found.IsScalar() ? found.Scalar() : "";
}

// The entry of a list of {name, <what>} pairs.
YAML::Node Named(const YAML::Node& whole, const char* list, const char* what,
                 const std::string& name) {
  const YAML::Node entries = whole[list];
  if (!entries.IsDefined() || !entries.IsSequence()) return YAML::Node();
  for (const YAML::Node& entry : entries) {
    if (entry.IsMap() && Text(entry, "name") == name && entry[what].IsMap()) return entry[what];
  }
  return YAML::Node();
}

Result<std::string> FromBase64(const std::string& text) {
  std::string compact;
  for (const char c : text) {
    if (c != '\n' && c != '\r' && c != ' ') compact.push_back(c);
  }
  std::string bytes(compact.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(compact.data()),
                                   static_cast<int>(compact.size()));
  if (size < 0) return Fail(Errc::kInvalid, "not base64");
  const size_t padding = compact.ends_with("==") ? 2 : compact.ends_with("=") ? 1 : 0;
  bytes.resize(static_cast<size_t>(size) - padding);
  return bytes;
}

std::string InFolder(const std::string& path, const std::string& folder) {
  return path.empty() || path.starts_with('/') ? path : folder + '/' + path;
}

// `<name>-data` in base64, or the file that `<name>` names.
Result<std::string> Material(const YAML::Node& from, const std::string& name,
                             const std::string& folder) {
  if (const std::string data = Text(from, (name + "-data").c_str()); !data.empty()) {
    auto text = FromBase64(data);
    if (!text) return Fail(Errc::kInvalid, name + "-data: " + text.error().message);
    return text;
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

Result<void> UseUser(Config& config, const YAML::Node& user, const std::string& folder) {
  for (const char* program : {"exec", "auth-provider"}) {
    if (user[program].IsDefined()) {
      return Fail(Errc::kInvalid, std::string("users that prove themselves by \"") + program +
                                      "\" are not supported: use a token or a client certificate");
    }
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

Result<Config> Read(const YAML::Node& whole, const std::string& folder) {
  if (!whole.IsMap()) return Fail(Errc::kInvalid, "not a kubeconfig");
  const std::string current = Text(whole, "current-context");
  const YAML::Node context = Named(whole, "contexts", "context", current);
  if (!context.IsMap()) {
    return Fail(Errc::kInvalid, "current-context \"" + current + "\" is not among the contexts");
  }
  const YAML::Node cluster = Named(whole, "clusters", "cluster", Text(context, "cluster"));
  if (!cluster.IsMap()) {
    return Fail(Errc::kInvalid, "no cluster \"" + Text(context, "cluster") + '"');
  }
  Config config;
  if (auto used = UseCluster(config, cluster, folder); !used) return Forward(used);
  const YAML::Node user = Named(whole, "users", "user", Text(context, "user"));
  if (user.IsMap()) {
    if (auto used = UseUser(config, user, folder); !used) return Forward(used);
  }
  if (std::string space = Text(context, "namespace"); !space.empty()) {
    config.space = std::move(space);
  }
  return config;
}

}  // namespace

// The library throws; its exceptions end here.
Result<Config> ParseKubeconfig(const std::string& yaml, const std::string& folder) {
  try {
    return Read(YAML::Load(yaml), folder);
  } catch (const std::exception& error) {
    return Fail(Errc::kInvalid, std::string("not a kubeconfig: ") + error.what());
  }
}

}  // namespace warpshare::kube
