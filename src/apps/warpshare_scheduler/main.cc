// warpshare-scheduler: kube-scheduler's extender for parts of cards.
#include <signal.h>

#include <cstdio>
#include <thread>

#include "apps/warpshare_scheduler/metrics_part.h"
#include "apps/warpshare_scheduler/scheduler_flags.h"
#include "apps/warpshare_scheduler/scheduler_setup.h"
#include "platform/log_file/log_words.h"
#include "platform/process/signal_queue.h"

namespace warpshare::app {

namespace {

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
  auto admission =
      AdmissionPart::Start({.client = **client,
                            .view = (*service)->view(),
                            .quotas = quotas,
                            .clock = clock,
                            .log = log,
                            .knows_cluster = [&] { return (*service)->knows_cluster(); }},
                           options.admission);
  if (!admission) return Forward(admission);
  auto metrics = MetricsPart::Start(
      {.loop = loop, .service = **service, .admission = **admission, .log = log}, options.metrics);
  if (!metrics) return Forward(metrics);
  std::thread waiter([&] {
    signals->Next();
    loop.Post([&] { (*admission)->Stop([&] { (*service)->Stop([&loop] { loop.Stop(); }); }); });
  });
  loop.Run();
  waiter.join();
  log.Line("stopped");
  return {};
}

int Run(const SchedulerOptions& options) {
  auto log = LogOf(options);
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
  if (const auto code = warpshare::app::ReadFlags(argc, argv, options)) return *code;
  return warpshare::app::Run(options);
}
