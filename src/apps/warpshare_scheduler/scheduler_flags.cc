#include "apps/warpshare_scheduler/scheduler_flags.h"

#include <CLI/CLI.hpp>

#include "apps/warpshare_scheduler/admission_part.h"
#include "apps/warpshare_scheduler/metrics_part.h"

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

}  // namespace

void AddSchedulerOptions(CLI::App& app, SchedulerOptions& options) {
  AddListenOptions(app, options);
  AddClusterOptions(app, options);
  AddAdmissionOptions(app, options.admission);
  AddMetricsOptions(app, options.metrics);
}

}  // namespace warpshare::app
