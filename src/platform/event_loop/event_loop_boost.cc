#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "platform/event_loop/event_loop.h"

namespace warpshare::platform {

namespace asio = boost::asio;

// One thread runs it, and yet it is not told so (a hint of 1): then what the loop posts to itself
// is queued when the running piece ends, behind what other threads have posted since.
struct EventLoop::Impl {
  asio::io_context context;
  asio::executor_work_guard<asio::io_context::executor_type> stay{context.get_executor()};
};

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {}
EventLoop::~EventLoop() = default;

void EventLoop::Run() {
  impl_->context.restart();
  impl_->context.run();
}

bool EventLoop::RunUntil(const std::function<bool()>& done, Duration limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  impl_->context.restart();
  while (!done()) {
    if (impl_->context.run_one_until(end) == 0) return done();
  }
  return true;
}

void EventLoop::Stop() { impl_->context.stop(); }

void EventLoop::Post(Work work) { asio::post(impl_->context, std::move(work)); }

bool EventLoop::InLoop() const { return impl_->context.get_executor().running_in_this_thread(); }

boost::asio::io_context& EventLoop::context() { return impl_->context; }

// `turn` tells a wait that was replaced from the one that counts: a timer that already expired is
// past cancelling.
struct Timer::Impl {
  explicit Impl(EventLoop& loop) : timer(loop.context()) {}
  asio::steady_timer timer;
  uint64_t turn = 0;
};

Timer::Timer(EventLoop& loop) : impl_(std::make_shared<Impl>(loop)) {}
Timer::Timer(Timer&&) noexcept = default;

Timer& Timer::operator=(Timer&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

Timer::~Timer() {
  if (impl_) Cancel();
}

void Timer::Set(EventLoop::Duration after, EventLoop::Work work) {
  const uint64_t turn = ++impl_->turn;
  impl_->timer.expires_after(after);
  impl_->timer.async_wait([impl = impl_, turn, work = std::move(work)](auto) {
    if (impl->turn == turn) work();
  });
}

void Timer::Cancel() {
  ++impl_->turn;
  impl_->timer.cancel();
}

struct Readiness::Impl : std::enable_shared_from_this<Readiness::Impl> {
  Impl(EventLoop& loop, int fd, EventLoop::Work to_do)
      : descriptor(loop.context()), work(std::move(to_do)) {
    boost::system::error_code ignored;
    descriptor.assign(fd, ignored);
  }

  void Wait() {
    descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                          [impl = shared_from_this()](const boost::system::error_code& error) {
                            if (error || impl->ended) return;
                            impl->work();
                            if (!impl->ended) impl->Wait();
                          });
  }

  asio::posix::stream_descriptor descriptor;
  EventLoop::Work work;
  bool ended = false;
};

Readiness::Readiness(EventLoop& loop, int descriptor, EventLoop::Work work)
    : impl_(std::make_shared<Impl>(loop, descriptor, std::move(work))) {
  impl_->Wait();
}

Readiness::Readiness(Readiness&&) noexcept = default;

Readiness& Readiness::operator=(Readiness&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

Readiness::~Readiness() {
  if (!impl_) return;
  impl_->ended = true;
  impl_->descriptor.release();
}

}  // namespace warpshare::platform
