#include "platform/nvml/question.h"

#include <signal.h>

#include <atomic>

namespace warpshare::platform {

namespace {

std::atomic<int> g_open = 0;

}  // namespace

std::thread question::OnItsOwn(std::function<void()> ask) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(ask));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

std::thread question::Start(std::function<void()> ask) {
  ++g_open;
  return OnItsOwn(std::move(ask));
}

void question::WasAnswered() { --g_open; }

bool IsDriverAsked() { return g_open > 0; }

}  // namespace warpshare::platform
