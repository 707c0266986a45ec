#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

#include "bench/share/load/loads.h"

namespace warpshare::load {

namespace {

constexpr size_t kPageBytes = 4096;

void QueueWait(const Run& run, CUstream stream, CUdeviceptr address, uint32_t value) {
  Check(run.card.driver().StreamWaitValue32(stream, address, value, CU_STREAM_WAIT_VALUE_GEQ),
        "cuStreamWaitValue32");
}

void QueueWrite(const Run& run, CUstream stream, CUdeviceptr address, uint32_t value) {
  Check(run.card.driver().StreamWriteValue32(stream, address, value, CU_STREAM_WRITE_VALUE_DEFAULT),
        "cuStreamWriteValue32");
}

void Launch(const Run& run, CUstream stream, uint32_t kernels) {
  for (uint32_t i = 0; i < kernels; ++i) run.card.Launch(stream);
}

// On the card's or the driver's time, until another thread set it.
void AwaitWord(void* word) {
  while (static_cast<std::atomic<uint32_t>*>(word)->load(std::memory_order_acquire) == 0)
    sched_yield();
}

// A kernel and a host function in one graph.
CUgraphExec GraphThatAwaits(const Run& run, std::atomic<uint32_t>& word) {
  const Driver& driver = run.card.driver();
  CUstream stream = run.card.stream(0);
  Check(driver.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
        "cuStreamBeginCapture");
  Launch(run, stream, 1);
  Check(driver.LaunchHostFunc(stream, AwaitWord, &word), "cuLaunchHostFunc");
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  Check(driver.StreamEndCapture(stream, &graph), "cuStreamEndCapture");
  Check(driver.GraphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
  return executable;
}

}  // namespace

void WaitForOwnValue(const Run& run) {
  const Card::Pinned flag = run.card.NewPinned(kPageBytes);
  for (uint32_t round = 1;; ++round) {
    QueueWait(run, run.card.stream(0), flag.address, round);
    Launch(run, run.card.stream(0), run.options.depth);
    Launch(run, run.card.stream(1), run.options.depth);
    QueueWrite(run, run.card.stream(1), flag.address, round);
    Check(run.card.driver().CtxSynchronize(), "cuCtxSynchronize");
    run.progress.Add(1);
  }
}

void WaitForHostValue(const Run& run) {
  const Card::Pinned flag = run.card.NewPinned(kPageBytes);
  for (uint32_t round = 1;; ++round) {
    QueueWait(run, run.card.stream(0), flag.address, round);
    Launch(run, run.card.stream(0), run.options.depth);
    Launch(run, run.card.stream(1), run.options.depth);
    std::atomic_ref(*flag.words).store(round, std::memory_order_release);
    Check(run.card.driver().CtxSynchronize(), "cuCtxSynchronize");
    run.progress.Add(1);
  }
}

void WaitForHostFunction(const Run& run) {
  std::atomic<uint32_t> launched{0};
  while (true) {
    launched.store(0, std::memory_order_release);
    Launch(run, run.card.stream(0), 1);
    Check(run.card.driver().LaunchHostFunc(run.card.stream(0), AwaitWord, &launched),
          "cuLaunchHostFunc");
    Launch(run, run.card.stream(0), run.options.depth);
    Launch(run, run.card.stream(1), run.options.depth);
    launched.store(1, std::memory_order_release);
    Check(run.card.driver().CtxSynchronize(), "cuCtxSynchronize");
    run.progress.Add(1);
  }
}

// Nobody who counts submissions is told that a graph waits: as kernels that spin for each other,
// but on a simulated card, too.
void WaitInGraph(const Run& run) {
  std::atomic<uint32_t> launched{0};
  CUgraphExec graph = GraphThatAwaits(run, launched);
  while (true) {
    launched.store(0, std::memory_order_release);
    Check(run.card.driver().GraphLaunch(graph, run.card.stream(0)), "cuGraphLaunch");
    Launch(run, run.card.stream(1), run.options.depth);
    launched.store(1, std::memory_order_release);
    Check(run.card.driver().CtxSynchronize(), "cuCtxSynchronize");
    run.progress.Add(1);
  }
}

void WaitForOtherStream(const Run& run) {
  CUevent there = run.card.NewEvent();
  CUevent back = run.card.NewEvent();
  const auto wait = run.card.driver().StreamWaitEvent;
  while (true) {
    for (uint32_t i = 0; i < run.options.depth; ++i) {
      run.card.Launch(run.card.stream(0));
      run.card.Record(there, run.card.stream(0));
      Check(wait(run.card.stream(1), there, 0), "cuStreamWaitEvent");
      run.card.Launch(run.card.stream(1));
      run.card.Record(back, run.card.stream(1));
      Check(wait(run.card.stream(0), back, 0), "cuStreamWaitEvent");
    }
    Check(run.card.driver().CtxSynchronize(), "cuCtxSynchronize");
    run.progress.Add(1);
  }
}

// The driver is told nothing of what waits here. Both kernels run once before: a driver that loads
// code late could not while the first one spins.
void WaitForOwnKernel(const Run& run) {
  const Card::Pinned flag = run.card.NewPinned(kPageBytes);
  CUfunction await_word = run.card.NewKernel(AwaitWordImage(), kAwaitWordName);
  CUfunction write_word = run.card.NewKernel(WriteWordImage(), kWriteWordName);
  Launch(run, run.card.stream(1), 1);
  for (uint32_t round = 0;; ++round) {
    if (round > 0) run.card.LaunchOnWord(await_word, run.card.stream(0), flag.address, round);
    Launch(run, run.card.stream(1), run.options.depth);
    run.card.LaunchOnWord(write_word, run.card.stream(1), flag.address, round);
    if (round == 0) run.card.LaunchOnWord(await_word, run.card.stream(0), flag.address, round);
    Check(run.card.driver().CtxSynchronize(), "cuCtxSynchronize");
    run.progress.Add(1);
  }
}

// Two processes, each of whose streams waits in every round until the other's got there: as
// collective kernels spin for each other.
void WaitForOtherProcess(const Run& run) {
  const int fd = open(run.options.pair_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, kPageBytes) != 0) _exit(1);
  void* memory = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) _exit(1);
  const Card::Pinned flags = run.card.Register(memory, kPageBytes);
  const CUdeviceptr mine = flags.address + static_cast<CUdeviceptr>(run.options.rank) * 64;
  const CUdeviceptr others = flags.address + static_cast<CUdeviceptr>(1 - run.options.rank) * 64;
  CUstream stream = run.card.stream(0);
  for (uint32_t round = 1;; ++round) {
    Launch(run, stream, run.options.depth);
    QueueWrite(run, stream, mine, round);
    QueueWait(run, stream, others, round);
    Launch(run, stream, 1);
    if (round % 4 == 0) run.card.Synchronize(stream);
    run.progress.Add(1);
  }
}

}  // namespace warpshare::load
