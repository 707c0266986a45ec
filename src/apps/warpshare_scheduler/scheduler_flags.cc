#include "apps/warpshare_scheduler/scheduler_flags.h"

#include <CLI/CLI.hpp>

namespace warpshare::app {

namespace {

void AddListenOptions(CLI::App& app, SchedulerOptions& options) {
  app.add_option("--address", options.address, "Where to listen")->capture_default_str();
  app.add_option("--port", options.port, "0: one that is free, which the log tells")
      ->capture_default_str();
  CLI::Option* certificate =
      app.add_option("--tls-cert", options.certificate, "Serve HTTPS: our certificates, in PEM")
          ->type_name("FILE");
  CLI::Option* key = app.add_option("--tls-key", options.key, "The first one's key, in PEM")
                         ->type_name("FILE")
                         ->needs(certificate);
  certificate->needs(key);
  app.add_option("--client-ca", options.client_authorities,
                 "Serve only who shows a certificate of one of these, in PEM")
      ->type_name("FILE")
      ->needs(certificate);
}

void AddClusterOptions(CLI::App& app, SchedulerOptions& options) {
  CLI::Option* kubeconfig =
      app.add_option("--kubeconfig", options.kubeconfig,
                     "How to reach the API server; if not given, as a pod of the cluster")
          ->type_name("FILE");
  app.add_option("--server", options.server, "An API server that wants no credentials")
      ->type_name("URL")
      ->excludes(kubeconfig);
  CLI::Option* lease = app.add_option("--lease", options.lease, "The Lease whose holder serves")
                           ->type_name("NAMESPACE/NAME")
                           ->capture_default_str();
  CLI::Option* alone =
      app.add_flag("--alone", options.is_alone, "Serve without a Lease: there is no other one")
          ->excludes(lease);
  app.add_option("--beside", options.beside,
                 "Serve the kube-scheduler in our pod, without a Lease of our own; this is the one "
                 "by which the kube-schedulers elect")
      ->type_name("NAMESPACE/NAME")
      ->excludes(alone)
      ->excludes(lease);
  app.add_flag("--no-nominations", options.nominates_nothing,
               "Name no nodes to kube-scheduler before it asks about a pod");
  app.add_option("--identity", options.identity, "Our name on the Lease, of no other process")
      ->envname("POD_NAME")
      ->type_name("NAME");
  app.add_option("--log", options.log, "Where to log to, instead of standard error")
      ->type_name("FILE");
}

void AddAdmissionOptions(CLI::App& app, AdmissionOptions& options) {
  CLI::Option* webhook =
      app.add_option("--webhook", options.webhook,
                     "Serve the admission webhook of this MutatingWebhookConfiguration")
          ->type_name("NAME");
  const auto add = [&](const char* flag, auto& value, const char* help) {
    return app.add_option(flag, value, help)->capture_default_str()->needs(webhook);
  };
  add("--webhook-address", options.address, "Where it listens");
  add("--webhook-port", options.port, "0: one that is free, which the log tells");
  add("--webhook-secret", options.secret, "The Secret for its certificates, which must be there")
      ->type_name("NAMESPACE/NAME");
  add("--webhook-name", options.names, "How the API server calls it; may be given several times")
      ->type_name("HOST");
  add("--scheduler-name", options.scheduler,
      "For pods that ask for cards and name no scheduler; if not given, they keep the ordinary one")
      ->type_name("NAME");
  add("--nvidia-gpu", options.nvidia_gpu,
      "Pods that ask for plain nvidia.com/gpu: adopt makes it warpshare.io/gpu, leave leaves them "
      "to NVIDIA's device plugin, auto adopts them while that runs on no node")
      ->check(CLI::IsMember({"auto", "adopt", "leave"}));
  app.add_option("--quotas", options.quotas, "The ConfigMap with the namespaces' quotas")
      ->type_name("NAMESPACE/NAME");
}

void AddMetricsOptions(CLI::App& app, MetricsOptions& options) {
  CLI::Option* port = app.add_option("--metrics-port", options.port,
                                     "Serve /metrics there; 0: a port that is free, which the log "
                                     "tells; if not given, nowhere");
  app.add_option("--metrics-address", options.address, "Where /metrics listens")
      ->capture_default_str()
      ->needs(port);
}

}  // namespace

std::optional<int> ReadFlags(int argc, char** argv, SchedulerOptions& options) {
  CLI::App app{"Places pods that ask for parts of cards, for kube-scheduler.",
               "warpshare-scheduler"};
  app.set_version_flag("--version", "warpshare-scheduler " WARPSHARE_VERSION);
  AddListenOptions(app, options);
  AddClusterOptions(app, options);
  AddAdmissionOptions(app, options.admission);
  AddMetricsOptions(app, options.metrics);
  CLI11_PARSE(app, argc, argv);
  return std::nullopt;
}

}  // namespace warpshare::app
