// One thread that waits for many things: work posted to it, timers, descriptors, and the
// connections of platform/http. What is done on a loop needs no locks among itself.
//
// Threads: Post, Stop and InLoop may be called from any thread; everything else, and the life of
// Timer and Readiness, belongs to the thread that runs the loop (or to the one that has not started
// it yet). A loop outlives whatever was made on it. Callbacks must not throw.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;  // NOLINT(readability-identifier-naming): Boost's own
}

namespace warpshare::platform {

class EventLoop {
 public:
  using Work = std::function<void()>;
  using Duration = std::chrono::steady_clock::duration;

  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Until Stop, also when there is nothing to do.
  void Run();

  // Until `done` says so, which is asked after each piece of work; false when `limit` came first or
  // somebody stopped the loop. For programs that wait for one answer, and for tests.
  bool RunUntil(const std::function<bool()>& done, Duration limit);

  // What is running ends first; what is waiting stays, for the next Run.
  void Stop();

  // In the order of posting; never called from within Post.
  void Post(Work work);

  bool InLoop() const;

  // For platform/ rooms that wait for something on this loop.
  boost::asio::io_context& context();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Calls back once, unless it is set again, cancelled or destroyed before. The callback may do all
// three.
class Timer {
 public:
  explicit Timer(EventLoop& loop);
  ~Timer();
  Timer(Timer&&) noexcept;
  Timer& operator=(Timer&&) noexcept;

  void Set(EventLoop::Duration after, EventLoop::Work work);
  void Cancel();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Calls back whenever the descriptor can be read, until destroyed. The descriptor stays the
// caller's and outlives this; who is called reads it empty, else is called again at once.
class Readiness {
 public:
  Readiness(EventLoop& loop, int descriptor, EventLoop::Work work);
  ~Readiness();
  Readiness(Readiness&&) noexcept;
  Readiness& operator=(Readiness&&) noexcept;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace warpshare::platform
