// warpshare-node: the arbiters of a machine's cards, and a cluster node's device plugin.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "apps/warpshare_node/local_mode.h"
#ifndef WARPSHARE_LEAN
#include "apps/warpshare_node/kubelet_mode.h"
#endif

namespace warpshare::app {

namespace {

constexpr double kMostLinger = 86'400;
constexpr int kMostSplit = 100;

void AddLocalOptions(CLI::App& app, NodeOptions& options) {
  app.add_option("--linger", options.linger_seconds,
                 "--local: how long to stay after the last tenant")
      ->type_name("SECONDS")
      ->check(CLI::Range(0., kMostLinger))
      ->capture_default_str();
  app.add_option("--ready-fd", options.ready_fd,
                 "--local: a byte is written here when all tenants that are there are served")
      ->type_name("N");
  app.add_option("--log", options.log, "--local: where to log to, instead of standard error")
      ->type_name("FILE");
}

#ifndef WARPSHARE_LEAN
void AddKubeletOptions(CLI::App& app, NodeOptions& options, CLI::Option_group& modes) {
  CLI::Option* kubelet =
      modes
          .add_option("--kubelet-dir", options.kubelet_folder,
                      "Serve the kubelet of this folder (/var/lib/kubelet) as a device plugin")
          ->type_name("DIR");
  for (const char* local : {"--log", "--linger", "--ready-fd"})
    kubelet->excludes(app.get_option(local));
  app.add_option("--node-name", options.node_name,
                 "The node's name in the cluster; if not given, the machine's")
      ->envname("NODE_NAME")
      ->type_name("NAME");
  app.add_option("--kubeconfig", options.kubeconfig,
                 "How to reach the API server; if not given, as a pod of the cluster")
      ->type_name("FILE");
  app.add_option("--pods", options.pods_file,
                 "In place of an API server: a PodList in JSON, kept up to date by others")
      ->type_name("FILE")
      ->excludes("--kubeconfig");
  app.add_option("--metrics-port", options.metrics_port, "Serve Prometheus's metrics on this port")
      ->type_name("N");
  app.add_option("--metrics-address", options.metrics_address, "The address for that")
      ->type_name("ADDRESS")
      ->capture_default_str();
  app.add_option("--install-dir", options.install_dir,
                 "Where containers get our libraries from; must outlast a restart of the machine")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--cdi-dir", options.cdi_folder,
                 "Give containers the driver by CDI: a spec file in this folder (/var/run/cdi)")
      ->type_name("DIR");
  app.add_option("--split", options.split, "Containers that a card takes at once")
      ->type_name("N")
      ->check(CLI::Range(1, kMostSplit))
      ->capture_default_str();
  CLI::Option* host_root =
      app.add_option("--host-root", options.host_root,
                     "In a container: where the host's file system is, to find its driver there")
          ->type_name("DIR");
  app.add_flag("--sim", options.is_simulated, "Simulated cards, of the world SIMGPU_WORLD")
      ->excludes(host_root);
}
#endif

Result<void> Serve(const NodeOptions& options, platform::Log& log) {
#ifndef WARPSHARE_LEAN
  if (!options.is_local) return ServeKubelet(options, log);
#endif
  return ServeLocalTenants(options, log);
}

Result<platform::LogFile> OpenLog(const std::string& path) {
  if (path.empty()) return platform::LogFile();
  return platform::LogFile::Open(path);
}

int Run(const NodeOptions& options) {
  auto log = OpenLog(options.log);
  if (!log) {
    std::fprintf(stderr, "warpshare-node: %s\n", log.error().message.c_str());
    return 1;
  }
  const auto served = Serve(options, *log);
  if (served) return 0;
  log->Line("cannot serve: " + served.error().message);
  return 1;
}

}  // namespace

}  // namespace warpshare::app

int main(int argc, char** argv) {
  warpshare::app::NodeOptions options;
  CLI::App app{"Shares out the cards of a machine among its tenants.", "warpshare-node"};
  app.set_version_flag("--version", "warpshare-node " WARPSHARE_VERSION);
  app.add_option("--state-dir", options.state_dir, "Where the tenants are: one node serves one")
      ->type_name("DIR");
  warpshare::app::AddLocalOptions(app, options);
  CLI::Option_group& modes = *app.add_option_group("Mode", "What to serve");
  modes.add_flag("--local", options.is_local,
                 "Serve the tenants of `warpshare run`, which starts this itself");
#ifndef WARPSHARE_LEAN
  warpshare::app::AddKubeletOptions(app, options, modes);
#endif
  modes.require_option(1);
  CLI11_PARSE(app, argc, argv);
  return warpshare::app::Run(options);
}
