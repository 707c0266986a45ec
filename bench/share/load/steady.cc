#include <array>
#include <functional>
#include <thread>
#include <vector>

#include "bench/share/load/loads.h"

namespace warpshare::load {

namespace {

// Returns how much that is, as Progress counts it.
using Submit = std::function<double(CUstream, uint64_t number)>;

// Keeps between half of `depth` and `depth` submissions in flight: after each half it waits for
// the half before.
void KeepInFlight(const Run& run, const Submit& submit) {
  const uint64_t half = run.options.depth > 1 ? run.options.depth / 2 : 1;
  const bool overlaps = run.options.depth > 1;
  const size_t streams = run.card.stream_count();
  std::array<std::vector<CUevent>, 2> ends;
  std::array<double, 2> submitted{};
  for (std::vector<CUevent>& end : ends)
    for (size_t i = 0; i < streams; ++i) end.push_back(run.card.NewEvent());
  for (uint64_t turn = 0;; ++turn) {
    submitted[turn % 2] = 0;
    for (uint64_t i = 0; i < half; ++i)
      submitted[turn % 2] += submit(run.card.stream(turn * half + i), turn * half + i);
    for (size_t i = 0; i < streams; ++i) run.card.Record(ends[turn % 2][i], run.card.stream(i));
    if (overlaps && turn == 0) continue;
    const uint64_t before = (overlaps ? turn + 1 : turn) % 2;
    for (CUevent end : ends[before]) run.card.Await(end);
    run.progress.Add(submitted[before]);
  }
}

CUgraphExec MakeGraph(const Run& run) {
  const Driver& driver = run.card.driver();
  CUstream stream = run.card.stream(0);
  Check(driver.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
        "cuStreamBeginCapture");
  for (uint32_t i = 0; i < run.options.graph_nodes; ++i) run.card.Launch(stream);
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  Check(driver.StreamEndCapture(stream, &graph), "cuStreamEndCapture");
  Check(driver.GraphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
  return executable;
}

// To the card, from pinned memory.
class Copier {
 public:
  explicit Copier(const Run& run)
      : run_(run),
        from_(run.card.NewPinned(run.options.copy_bytes)),
        to_(run.card.NewMemory(run.options.copy_bytes)) {}

  void operator()(CUstream stream) const {
    Check(run_.card.driver().MemcpyHtoDAsync(to_, from_.words, run_.options.copy_bytes, stream),
          "cuMemcpyHtoDAsync");
  }

 private:
  const Run& run_;
  Card::Pinned from_;
  CUdeviceptr to_;
};

}  // namespace

void InThreads(const Run& run, size_t count, const std::function<void(size_t thread)>& submit) {
  std::vector<std::thread> others;
  for (size_t thread = 1; thread < count; ++thread) {
    others.emplace_back([&run, &submit, thread] {
      run.card.EnterThread();
      submit(thread);
    });
  }
  submit(0);
}

void SubmitKernels(const Run& run) {
  KeepInFlight(run, [&](CUstream stream, uint64_t) { return run.card.Launch(stream); });
}

void LaunchAndWait(const Run& run) {
  for (uint64_t turn = 0;; ++turn) {
    const double launched = run.card.Launch(run.card.stream(turn));
    run.card.Synchronize(run.card.stream(turn));
    run.progress.Add(launched);
  }
}

void SubmitGraphs(const Run& run) {
  CUgraphExec graph = MakeGraph(run);
  KeepInFlight(run, [&](CUstream stream, uint64_t) {
    Check(run.card.driver().GraphLaunch(graph, stream), "cuGraphLaunch");
    return 1;
  });
}

void SubmitCopies(const Run& run) {
  const Copier copy(run);
  KeepInFlight(run, [&](CUstream stream, uint64_t) {
    copy(stream);
    return 1;
  });
}

// Progress is told by one of them for all, which get on as fast.
void SubmitFromThreads(const Run& run) {
  const size_t count = (run.card.stream_count() + 1) / 2;
  const auto submit = [&run, count](size_t thread) {
    const CUstream streams[] = {run.card.stream(2 * thread), run.card.stream(2 * thread + 1)};
    for (uint64_t number = 1;; ++number) {
      const CUstream stream = streams[number % 2];
      run.card.Launch(stream);
      if (number % run.options.depth != 0) continue;
      run.card.Synchronize(stream);
      if (thread == 0) run.progress.Add(static_cast<double>(count * run.options.depth));
    }
  };
  InThreads(run, count, submit);
}

void SubmitMixture(const Run& run) {
  CUgraphExec graph = MakeGraph(run);
  const Copier copy(run);
  KeepInFlight(run, [&](CUstream stream, uint64_t number) {
    if (number % 16 == 7) {
      copy(stream);
    } else if (number % 16 == 15) {
      Check(run.card.driver().GraphLaunch(graph, stream), "cuGraphLaunch");
    } else {
      run.card.Launch(stream);
    }
    return 1;
  });
}

}  // namespace warpshare::load
