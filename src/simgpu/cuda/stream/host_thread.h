// The thread that calls the program's functions (cuLaunchHostFunc, callbacks), one after the other:
// they may take long, and must not hold up the streams of others. Guarded by the dispatcher's
// mutex.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>

namespace simgpu::cuda {

class StreamQueue;

// True inside a function of the program that the host thread calls. It must not wait for work: the
// work may be waiting for it. Such calls answer CUDA_ERROR_NOT_PERMITTED.
bool InHostFunction();

class HostThread {
 public:
  // Calls `function`, then queue->HostFunctionDone if it is for a stream.
  void Call(std::shared_ptr<StreamQueue> queue, std::function<void()> function);

 private:
  struct Entry {
    std::shared_ptr<StreamQueue> queue;
    std::function<void()> function;
  };

  void Run();

  std::deque<Entry> entries_;
  std::condition_variable added_;
  bool started_ = false;
};

}  // namespace simgpu::cuda
