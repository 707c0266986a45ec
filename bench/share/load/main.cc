// share_load: a program that keeps a card busy in one of many ways and says what it got done. It
// knows nothing of warpshare. See README.md.
//
// Standard output, a JSON line each: {"ready": PID} when all is set up; {"at_ns": .., "so_far": ..}
// for each tick; {"burst_start_ns": .., "latency_ns": ..} for each burst; {"done": SUBMISSIONS,
// ...} at the end.
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <vector>

#include "bench/share/load/loads.h"

namespace warpshare::load {

Load FindLoad(const std::string& mode) {
  struct Named {
    const char* name;
    Load load;
  };
  static constexpr Named kLoads[] = {
      {"async", SubmitKernels},          {"sync", LaunchAndWait},
      {"graph", SubmitGraphs},           {"copy", SubmitCopies},
      {"threads", SubmitFromThreads},    {"mix", SubmitMixture},
      {"burst", SubmitBursts},           {"wait-value", WaitForOwnValue},
      {"host-write", WaitForHostValue},  {"host-function", WaitForHostFunction},
      {"graph-host", WaitInGraph},       {"cross-stream", WaitForOtherStream},
      {"kernel-wait", WaitForOwnKernel}, {"pair", WaitForOtherProcess},
      {"gaps", LaunchWithGaps},          {"serve", ServeRequests},
  };
  const auto found = std::find_if(std::begin(kLoads), std::end(kLoads),
                                  [&](const Named& named) { return mode == named.name; });
  return found == std::end(kLoads) ? nullptr : found->load;
}

namespace {

// How often a real card's kernel reads its clock in a microsecond.
void Calibrate(const Card& card, uint64_t loops) {
  CUevent start = card.NewEvent();
  CUevent stop = card.NewEvent();
  float milliseconds = 0;
  for (int i = 0; i < 3; ++i) {  // the first ones wake the card up
    card.Record(start, card.stream(0));
    card.LaunchLoops(card.stream(0), loops);
    card.Record(stop, card.stream(0));
    card.Await(stop);
    Check(card.driver().EventElapsedTime(&milliseconds, start, stop), "cuEventElapsedTime");
  }
  printf("{\"loops_per_us\": %.3f}\n", static_cast<double>(loops) / (milliseconds * 1e3));
}

// Until the load's time is over.
void Tick(const Progress& progress, const Options& options, uint64_t start_ns) {
  const uint64_t end_ns = start_ns + static_cast<uint64_t>(options.seconds * 1e9);
  uint64_t tick_ns = start_ns;
  while (options.ticks_ns > 0 && (tick_ns += options.ticks_ns) < end_ns) {
    SleepUntil(tick_ns);
    const Progress::Mark mark = progress.last();
    printf("{\"at_ns\": %lu, \"so_far\": %.15g}\n", mark.at_ns, mark.done);
  }
  SleepUntil(end_ns);
}

double Percentile(const std::vector<uint64_t>& sorted, double part) {
  if (sorted.empty()) return 0;
  const double last = static_cast<double>(sorted.size() - 1);
  return static_cast<double>(sorted[static_cast<size_t>(part * last + 0.5)]) / 1e3;
}

void Report(const Progress& progress, uint64_t start_ns) {
  const uint64_t now_ns = NowNs();
  const double done = progress.last().done;
  std::vector<uint64_t> latencies;
  for (const Burst& burst : progress.bursts()) {
    printf("{\"burst_start_ns\": %lu, \"latency_ns\": %lu}\n", burst.start_ns, burst.latency_ns);
    latencies.push_back(burst.latency_ns);
  }
  std::sort(latencies.begin(), latencies.end());
  printf(
      "{\"done\": %.15g, \"start_ns\": %lu, \"end_ns\": %lu, \"bursts\": %zu, \"p50_us\": %.1f, "
      "\"p90_us\": %.1f, \"p99_us\": %.1f, \"max_us\": %.1f}\n",
      done, start_ns, now_ns, latencies.size(), Percentile(latencies, 0.5),
      Percentile(latencies, 0.9), Percentile(latencies, 0.99), Percentile(latencies, 1));
  fflush(stdout);
}

}  // namespace
}  // namespace warpshare::load

int main(int count, char** words) {
  using namespace warpshare::load;
  const Options options = ReadOptions(count, words);
  const Load load = FindLoad(options.mode);
  if (load == nullptr && options.mode != "calibrate") {
    fprintf(stderr, "share_load: no mode '%s'\n", options.mode.c_str());
    return 2;
  }
  const Card card(options);
  if (load == nullptr) {
    Calibrate(card, options.work->calibration_rounds);
    return 0;
  }
  printf("{\"ready\": %d}\n", getpid());
  fflush(stdout);
  if (options.await_start && getchar() == EOF) return 0;
  Progress progress;
  const uint64_t start_ns = NowNs();
  std::thread submitter([&] {
    card.EnterThread();
    load(Run{.card = card, .options = options, .progress = progress});
  });
  submitter.detach();
  Tick(progress, options, start_ns);
  Report(progress, start_ns);
  _exit(0);  // with whatever is in flight, as a user's ^C would
}
