#include "platform/kube/exec_plugin.h"

#include <unistd.h>

#include <utility>

#include "platform/json/json.h"
#include "platform/json/writer.h"
#include "platform/kube/program_output.h"
#include "types/base64.h"

namespace warpshare::kube {
namespace {

std::string ServerOf(const Config& config) {
  const bool is_address = config.host.find(':') != std::string::npos;
  const std::string host = is_address ? '[' + config.host + ']' : config.host;
  return (config.tls ? "https://" : "http://") + host + ':' + std::to_string(config.port) +
         config.path;
}

void WriteCluster(json::Writer& info, const Config& config) {
  info.Key("cluster").BeginObject().Member("server", ServerOf(config));
  if (!config.server_name.empty()) info.Member("tls-server-name", config.server_name);
  if (!config.authorities.empty())
    info.Member("certificate-authority-data", ToBase64(config.authorities));
  info.EndObject();
}

std::string HintOf(const ExecPlugin& plugin) {
  return plugin.install_hint.empty() ? "" : ": " + plugin.install_hint;
}

}  // namespace

std::string ExecInfo(const Config& config, bool is_interactive) {
  json::Writer info;
  info.BeginObject().Member("apiVersion", config.exec->api_version);
  info.Member("kind", "ExecCredential").Key("spec").BeginObject();
  info.Member("interactive", is_interactive);
  if (config.exec->wants_cluster) WriteCluster(info, config);
  info.EndObject().EndObject();
  return info.Take();
}

Result<void> UseExecCredential(Config& config, std::string_view printed) {
  const auto credential = json::Document::Parse(printed);
  if (!credential)
    return Fail(Errc::kInvalid, "printed no ExecCredential: " + credential.error().message);
  const json::View root = credential->root();
  const std::string_view version = root["apiVersion"].StringOr("");
  if (root["kind"].StringOr("") != "ExecCredential" || version != config.exec->api_version) {
    return Fail(Errc::kInvalid, "printed no ExecCredential of " + config.exec->api_version);
  }
  const json::View status = root["status"];
  const std::string_view token = status["token"].StringOr("");
  const std::string_view certificate = status["clientCertificateData"].StringOr("");
  const std::string_view key = status["clientKeyData"].StringOr("");
  if (certificate.empty() != key.empty())
    return Fail(Errc::kInvalid, "gave one of certificate and key without the other");
  if (token.empty() && certificate.empty())
    return Fail(Errc::kInvalid, "gave neither a token nor a certificate");
  if (!token.empty()) {
    config.token = token;
    config.token_path.clear();
  }
  if (!certificate.empty()) config.identity = {std::string(certificate), std::string(key)};
  return {};
}

Result<void> RunExecPlugin(Config& config) {
  const ExecPlugin& plugin = *config.exec;
  using Interaction = ExecPlugin::Interaction;
  const bool has_terminal = isatty(STDIN_FILENO) == 1;
  const std::string name = "exec " + plugin.command;
  if (plugin.interaction == Interaction::kAlways && !has_terminal)
    return Fail(Errc::kUnavailable, name + " wants to ask on a terminal, and there is none");
  const bool is_interactive = has_terminal && plugin.interaction != Interaction::kNever;
  ProgramCall call{.program = plugin.command,
                   .arguments = plugin.arguments,
                   .environment = plugin.environment,
                   .reads_input = is_interactive};
  call.environment.emplace_back("KUBERNETES_EXEC_INFO", ExecInfo(config, is_interactive));
  auto printed = OutputOf(call);
  if (!printed)
    return Fail(printed.error().code, name + ": " + printed.error().message + HintOf(plugin));
  if (auto used = UseExecCredential(config, *printed); !used)
    return Fail(used.error().code, name + ' ' + used.error().message);
  config.exec.reset();
  return {};
}

}  // namespace warpshare::kube
