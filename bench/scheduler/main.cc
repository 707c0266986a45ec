// bench_scheduler: what a pod costs in warpshare-scheduler, over HTTP on loopback, in clusters of
// several sizes. One JSON line a size on standard output.
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "bench/scheduler/daemon.h"
#include "bench/scheduler/fake_cluster.h"
#include "bench/scheduler/load.h"

namespace warpshare::bench {

namespace {

constexpr std::chrono::seconds kStartLimit{120};
constexpr uint32_t kHistoryPods = 100;

struct Options {
  std::vector<uint32_t> nodes = {100, 1'000, 5'000, 10'000};
  uint32_t pods = 2'000;
  uint32_t resident_per_node = 10;
  uint32_t slowest = 0;
  bool arriving = false;
};

double Quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<size_t>(part * static_cast<double>(values.size())))];
}

// What kept the slowest of them: the daemon's own work, others on its core, or neither of these.
void TellSlowest(const LoadFigures& figures, uint32_t count) {
  std::vector<FilterTime> filters = figures.filters;
  std::ranges::sort(filters, std::ranges::greater(), &FilterTime::took_ms);
  filters.resize(std::min<size_t>(filters.size(), count));
  for (const FilterTime& filter : filters)
    std::fprintf(stderr, "bench_scheduler: pod %u: %.3f ms, the daemon ran %.3f, waited %.3f\n",
                 filter.pod, filter.took_ms, filter.daemon.ran_ms, filter.daemon.waited_ms);
}

void Print(const ClusterSize& size, const LoadFigures& figures, const SchedulerProcess& daemon) {
  std::vector<double> took;
  for (const FilterTime& filter : figures.filters) took.push_back(filter.took_ms);
  std::printf(
      "{\"bench\":\"scheduler\",\"nodes\":%u,\"cards_per_node\":8,\"resident_pods\":%u,"
      "\"pods\":%u,\"filter_p50_ms\":%.3f,\"filter_p99_ms\":%.3f,\"daemon_ms_per_pod\":%.3f,"
      "\"prioritize_p50_ms\":%.3f,"
      "\"prioritize_p99_ms\":%.3f,\"floor_p50_ms\":%.3f,\"floor_p99_ms\":%.3f,"
      "\"pods_per_s\":%.1f,\"bound\":%u,\"refused\":%u,\"nowhere\":%u,\"rss_mb\":%.1f,"
      "\"rss_peak_mb\":%.1f}\n",
      size.nodes, size.resident, size.waiting, Quantile(took, 0.5), Quantile(took, 0.99),
      figures.daemon_ms / size.waiting, Quantile(figures.prioritize_ms, 0.5),
      Quantile(figures.prioritize_ms, 0.99), Quantile(figures.floor_ms, 0.5),
      Quantile(figures.floor_ms, 0.99), figures.bound / figures.seconds, figures.bound,
      figures.refused, figures.nowhere, daemon.Rss(), daemon.PeakRss());
  std::fflush(stdout);
}

bool RunOne(const ClusterSize& size, const std::string& folder, const Options& options) {
  std::fprintf(stderr, "bench_scheduler: %u nodes, %u pods on them\n", size.nodes, size.resident);
  FakeCluster cluster(size);
  SchedulerProcess daemon(cluster.port(), folder);
  while (daemon.port() == 0) {
    if (!daemon.is_alive()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  platform::EventLoop loop;
  Load load(loop, daemon);
  if (!load.WaitUntilReady(kStartLimit)) return false;
  std::vector<std::string> nodes;
  for (uint32_t node = 0; node < size.nodes; ++node) nodes.push_back(FakeCluster::NodeName(node));
  const LoadFigures figures = load.Run(nodes, cluster.waiting(), [&](uint32_t done) {
    if (options.arriving) cluster.Arrive();
    if (done % kHistoryPods == 0) cluster.ForgetHistory();
  });
  TellSlowest(figures, options.slowest);
  Print(size, figures, daemon);
  return true;
}

bool Run(const Options& options) {
  std::string folder = std::filesystem::temp_directory_path() / "bench-scheduler-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return false;
  bool is_good = true;
  for (const uint32_t nodes : options.nodes) {
    const std::string mine = folder + "/" + std::to_string(nodes);
    std::filesystem::create_directory(mine);
    is_good = RunOne({.nodes = nodes,
                      .resident = nodes * options.resident_per_node,
                      .waiting = options.pods},
                     mine, options) &&
              is_good;
  }
  std::filesystem::remove_all(folder);
  return is_good;
}

}  // namespace

}  // namespace warpshare::bench

int main(int argc, char** argv) {
  warpshare::bench::Options options;
  CLI::App app{"Filter, Prioritize and Bind over HTTP.", "bench_scheduler"};
  app.add_option("--nodes", options.nodes, "Nodes of 8 cards; several sizes are run in turn")
      ->check(CLI::Range(1, 65'535));
  app.add_option("--pods", options.pods, "Pods to place")->capture_default_str();
  app.add_option("--resident", options.resident_per_node, "Pods on each node before that")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  app.add_option("--slowest", options.slowest,
                 "Tell of so many Filters where their time went, on standard error")
      ->capture_default_str();
  app.add_flag("--arriving", options.arriving,
               "For each pod that is placed another one comes, which is new to the daemon");
  CLI11_PARSE(app, argc, argv);
  return warpshare::bench::Run(options) ? EXIT_SUCCESS : EXIT_FAILURE;
}
