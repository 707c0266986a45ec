#include "simgpu/cuda/stream/host_thread.h"

#include <mutex>
#include <utility>

#include "simgpu/cuda/stream/dispatcher.h"
#include "simgpu/cuda/stream/stream_queue.h"
#include "simgpu/cuda/stream/thread.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::cuda {
namespace {

thread_local bool in_host_function = false;

}  // namespace

bool InHostFunction() { return in_host_function; }

void HostThread::Call(std::shared_ptr<StreamQueue> queue, std::function<void()> function) {
  entries_.push_back({std::move(queue), std::move(function)});
  if (started_) {
    added_.notify_one();
  } else {
    started_ = StartThread("simgpu-host", [this] { Run(); });
  }
}

void HostThread::Run() {
  in_host_function = true;
  Dispatcher& dispatcher = Dispatcher::Instance();
  std::unique_lock lock(dispatcher.mutex());
  while (true) {
    added_.wait(lock, [this] { return !entries_.empty(); });
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    lock.unlock();
    entry.function();
    entry.function = nullptr;
    lock.lock();
    if (entry.queue != nullptr) entry.queue->HostFunctionDone(world::NowNs());
    dispatcher.Drain();
  }
}

}  // namespace simgpu::cuda
