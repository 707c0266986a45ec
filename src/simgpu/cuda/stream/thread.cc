#include "simgpu/cuda/stream/thread.h"

#include <pthread.h>
#include <signal.h>

#include <memory>
#include <utility>

#include "simgpu/world/sync/clock.h"

namespace simgpu::cuda {
namespace {

struct Start {
  const char* name;
  std::function<void()> body;
};

void* Run(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  pthread_setname_np(pthread_self(), start->name);
  world::SleepPreciselyInThisThread();
  start->body();
  return nullptr;
}

}  // namespace

bool StartThread(const char* name, std::function<void()> body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);  // inherited by the thread
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  auto start = std::make_unique<Start>(Start{name, std::move(body)});
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, &Run, start.get()) == 0;
  if (started) start.release();  // the thread's now
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace simgpu::cuda
