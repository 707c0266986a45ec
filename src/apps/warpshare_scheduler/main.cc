// warpshare-scheduler: kube-scheduler's extender for parts of cards.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <thread>

#include "apps/warpshare_scheduler/admission_part.h"
#include "apps/warpshare_scheduler/scheduler_setup.h"
#include "platform/log_file/log_words.h"
#include "platform/process/signal_queue.h"

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
  app.add_flag("--alone", options.is_alone, "Serve without a Lease: there is no other one")
      ->excludes(lease);
  app.add_option("--identity", options.identity, "Our name on the Lease, of no other process")
      ->envname("POD_NAME")
      ->type_name("NAME");
  app.add_option("--log", options.log, "Where to log to, instead of standard error")
      ->type_name("FILE");
}

// Until a signal ends it. Signals are blocked in this thread, and so in all that it makes.
Result<void> Serve(const SchedulerOptions& options, platform::Log& log) {
  signal(SIGPIPE, SIG_IGN);
  const auto signals = platform::SignalQueue::Open({SIGTERM, SIGINT});
  if (!signals) return Fail(signals.error());
  auto config = ApiServerOf(options);
  if (!config) return Forward(config);
  auto settings = ServiceOf(options);
  if (!settings) return Forward(settings);
  const platform::SystemClock clock;
  platform::EventLoop loop;
  auto client = kube::Client::Make(loop, {.config = *config, .agent = "warpshare-scheduler"});
  if (!client) return Forward(client);
  quota::QuotaBook quotas;
  auto service = cluster::SchedulerService::Open(
      {.client = **client, .clock = clock, .log = log, .quotas = &quotas}, std::move(*settings));
  if (!service) return Forward(service);
  auto admission = AdmissionPart::Start({.client = **client,
                                         .ledger = (*service)->view().ledger(),
                                         .quotas = quotas,
                                         .clock = clock,
                                         .log = log},
                                        options.admission);
  if (!admission) return Forward(admission);
  std::thread waiter([&] {
    signals->Next();
    loop.Post([&] { (*admission)->Stop([&] { (*service)->Stop([&loop] { loop.Stop(); }); }); });
  });
  loop.Run();
  waiter.join();
  log.Line("stopped");
  return {};
}

Result<platform::LogFile> OpenLog(const std::string& path) {
  if (path.empty()) return platform::LogFile();
  return platform::LogFile::Open(path);
}

int Run(const SchedulerOptions& options) {
  auto log = OpenLog(options.log);
  if (!log) {
    std::fprintf(stderr, "warpshare-scheduler: %s\n", log.error().message.c_str());
    return 1;
  }
  const auto served = Serve(options, *log);
  if (served) return 0;
  log->Line(platform::LogText("cannot-serve", {{"error", served.error()}}));
  return 1;
}

}  // namespace

}  // namespace warpshare::app

int main(int argc, char** argv) {
  warpshare::app::SchedulerOptions options;
  CLI::App app{"Places pods that ask for parts of cards, for kube-scheduler.",
               "warpshare-scheduler"};
  app.set_version_flag("--version", "warpshare-scheduler " WARPSHARE_VERSION);
  warpshare::app::AddListenOptions(app, options);
  warpshare::app::AddClusterOptions(app, options);
  warpshare::app::AddAdmissionOptions(app, options.admission);
  CLI11_PARSE(app, argc, argv);
  return warpshare::app::Run(options);
}
