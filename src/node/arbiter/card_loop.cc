#include "node/arbiter/card_loop.h"

#include <mutex>

namespace warpshare::node {

CardLoop::CardLoop(const platform::Clock& clock, platform::Futex& futex)
    : clock_(clock), futex_(futex), arbiter_(futex), thread_([this] { Run(); }) {}

CardLoop::~CardLoop() {
  ends_ = true;
  LookNow();
  thread_.join();
}

void CardLoop::Add(share::TenantId id, const TenantPages& pages) {
  {
    const std::lock_guard lock(mutex_);
    arbiter_.Add(id, pages);
  }
  LookNow();
}

void CardLoop::Remove(share::TenantId id) {
  {
    const std::lock_guard lock(mutex_);
    arbiter_.Remove(id);
  }
  LookNow();
}

std::vector<CardArbiter::Problem> CardLoop::Problems() const {
  if (!has_problems_) return {};
  const std::lock_guard lock(mutex_);
  return arbiter_.Problems();
}

void CardLoop::LookNow() {
  ++nudges_;
  futex_.WakeAll(nudges_);
}

// What is slept on was read before what it announces: no call is lost. A tenant that was removed
// meanwhile may have its word unmapped; such a sleep ends by itself (platform/futex).
void CardLoop::Run() {
  futex_.WakeMePrecisely();
  std::vector<platform::FutexWait> waits;
  while (true) {
    waits.assign(1, {&nudges_, nudges_});
    if (ends_) return;
    uint64_t until_ns = 0;
    {
      const std::lock_guard lock(mutex_);
      const platform::Clock::Duration now = clock_.Now().time_since_epoch();
      until_ns = arbiter_.Step(
          static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
      arbiter_.AppendCalls(waits);
      has_problems_ = arbiter_.HasProblems();
      handover_ns_ = arbiter_.handover_ns();
    }
    futex_.WaitAny(waits, until_ns);
  }
}

}  // namespace warpshare::node
