// The loads, by name. Each submits until the process ends; the thread that reports ends it.
#pragma once

#include <functional>
#include <string>

#include "bench/share/load/card.h"
#include "bench/share/load/options.h"
#include "bench/share/load/progress.h"

namespace warpshare::load {

struct Run {
  const Card& card;
  const Options& options;
  Progress& progress;
};

using Load = void (*)(const Run&);

// `submit(I)` in a thread for each I below `count`; of them the caller is the first.
void InThreads(const Run& run, size_t count, const std::function<void(size_t thread)>& submit);

// Null for a name that is none.
Load FindLoad(const std::string& mode);

// steady.cc: as much as the card takes.
void SubmitKernels(const Run& run);      // async
void LaunchAndWait(const Run& run);      // sync
void SubmitGraphs(const Run& run);       // graph
void SubmitCopies(const Run& run);       // copy
void SubmitFromThreads(const Run& run);  // threads: each has two of the streams
void SubmitMixture(const Run& run);      // mix: of 16 one copy, one graph, else kernels
// bursts.cc
void SubmitBursts(const Run& run);
// gaps.cc
void LaunchWithGaps(const Run& run);
// serve.cc
void ServeRequests(const Run& run);  // serve: of threads, each has one of the streams
// dependent.cc: work that waits for other work of the program, which comes later.
void WaitForOwnValue(const Run& run);      // wait-value: written by another stream
void WaitForHostValue(const Run& run);     // host-write: written by this thread
void WaitForHostFunction(const Run& run);  // host-function: it waits for what is launched after it
void WaitInGraph(const Run& run);          // graph-host: the same in a graph, which does not say so
void WaitForOtherStream(const Run& run);   // cross-stream
void WaitForOwnKernel(const Run& run);     // kernel-wait: one spins until another one wrote
void WaitForOtherProcess(const Run& run);  // pair

}  // namespace warpshare::load
