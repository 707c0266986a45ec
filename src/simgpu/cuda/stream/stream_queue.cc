// The calls from outside. How work moves on: stream_progress.cc.
#include "simgpu/cuda/stream/stream_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "simgpu/cuda/stream/dispatcher.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::cuda {
namespace {

// As many launches as a real stream takes before it makes the caller wait.
constexpr size_t kDepth = 1024;

}  // namespace

StreamQueue::StreamQueue(QueueSpec spec) : spec_(std::move(spec)) {
  if (spec_.group == nullptr) return;
  const std::lock_guard lock(Dispatcher::Instance().mutex());
  if (spec_.role == StreamRole::kLegacy) spec_.group->legacy = this;
  if (spec_.role == StreamRole::kBlocking) spec_.group->blocking.push_back(this);
}

StreamQueue::~StreamQueue() = default;

void StreamQueue::LeaveGroup() {
  if (spec_.group == nullptr) return;
  const std::lock_guard lock(Dispatcher::Instance().mutex());
  if (spec_.group->legacy == this) spec_.group->legacy = nullptr;
  std::erase(spec_.group->blocking, this);
}

void StreamQueue::Enqueue(Op op) {
  std::unique_lock lock(Dispatcher::Instance().mutex());
  WaitForRoom(lock);
  const bool may_be_due = op.kind == OpKind::kEffect && Settled();
  helpers_ += may_be_due ? 1 : 0;  // so that the card's thread is not woken for it
  op.not_before_ns = world::NowNs();
  ApplyDefaultStreamRules(op.not_before_ns);
  Push(std::move(op));
  Dispatcher::Instance().Drain();
  if (!may_be_due) return;
  RunDueEffect(lock);
  StopHelping();
}

void StreamQueue::EnqueueAll(std::vector<Op> ops) {
  std::unique_lock lock(Dispatcher::Instance().mutex());
  WaitForRoom(lock);
  PushAll(std::move(ops));
  Dispatcher::Instance().Drain();
}

void StreamQueue::EnqueueAndWait(Op op) {
  const auto done = std::make_shared<Completion>();
  std::vector<Op> ops;
  ops.push_back(std::move(op));
  ops.push_back(Op::Mark(done));
  {
    std::unique_lock lock(Dispatcher::Instance().mutex());
    WaitForRoom(lock);
    ++helpers_;  // before there is anything for the card's thread to be woken for
    PushAll(std::move(ops));
    Help(lock, *done);
  }
  world::WaitUntil(done->time_ns());
}

std::shared_ptr<Completion> StreamQueue::Mark() {
  const std::lock_guard lock(Dispatcher::Instance().mutex());
  uint64_t not_before_ns = 0;
  if (spec_.role == StreamRole::kLegacy) ApplyDefaultStreamRules(not_before_ns);
  std::shared_ptr<Completion> mark;
  if (Settled()) {
    mark = std::make_shared<Completion>(std::max(tail_ns_, not_before_ns));
  } else {
    mark = MarkLocked();
  }
  Dispatcher::Instance().Drain();
  return mark;
}

bool StreamQueue::Idle() {
  const std::lock_guard lock(Dispatcher::Instance().mutex());
  const uint64_t now_ns = world::NowNs();
  const auto idle = [now_ns](const StreamQueue& queue) {
    return queue.Settled() && queue.tail_ns_ <= now_ns;
  };
  if (!idle(*this)) return false;
  if (spec_.role != StreamRole::kLegacy) return true;
  return std::all_of(spec_.group->blocking.begin(), spec_.group->blocking.end(),
                     [&idle](const StreamQueue* queue) { return idle(*queue); });
}

void StreamQueue::HelpUntil(const Completion& completion) {
  std::unique_lock lock(Dispatcher::Instance().mutex());
  ++helpers_;
  Help(lock, completion);
}

void StreamQueue::Help(std::unique_lock<std::mutex>& lock, const Completion& completion) {
  Dispatcher& dispatcher = Dispatcher::Instance();
  while (!completion.data_moved()) {
    dispatcher.Ready(*this);
    dispatcher.Drain();
    if (completion.data_moved() || RunDueEffect(lock)) continue;
    const uint64_t next_ns = NextTime();
    if (next_ns == UINT64_MAX) {
      changed_.wait(lock);
    } else if (next_ns > world::NowNs()) {
      lock.unlock();
      world::WaitUntil(next_ns);
      lock.lock();
    }
  }
  StopHelping();
}

void StreamQueue::StopHelping() {
  --helpers_;
  if (NextTime() != UINT64_MAX) Dispatcher::Instance().Card(spec_.card).Watch(shared_from_this());
}

void StreamQueue::PushAll(std::vector<Op> ops) {
  uint64_t not_before_ns = world::NowNs();
  ApplyDefaultStreamRules(not_before_ns);
  for (Op& op : ops) {
    op.not_before_ns = not_before_ns;
    Push(std::move(op));
  }
}

void StreamQueue::Push(Op op) {
  if (op.kind == OpKind::kMark) op.completion->set_queue(weak_from_this());
  pending_.push_back(std::move(op));
  if (pending_.size() == 1) Dispatcher::Instance().Ready(*this);
}

void StreamQueue::WaitForRoom(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return pending_.size() < kDepth; });
}

// The legacy default stream begins nothing before the blocking streams have ended what they were
// given before, and the other way round.
void StreamQueue::ApplyDefaultStreamRules(uint64_t& not_before_ns) {
  if (spec_.group == nullptr) return;
  if (spec_.role == StreamRole::kBlocking && spec_.group->legacy != nullptr) {
    WaitBehind(*spec_.group->legacy, not_before_ns);
  }
  if (spec_.role == StreamRole::kLegacy) {
    for (StreamQueue* blocking : spec_.group->blocking) WaitBehind(*blocking, not_before_ns);
  }
}

void StreamQueue::WaitBehind(StreamQueue& other, uint64_t& not_before_ns) {
  if (other.Settled()) {
    not_before_ns = std::max(not_before_ns, other.tail_ns_);
  } else {
    Push(Op::Wait(other.MarkLocked()));
  }
}

std::shared_ptr<Completion> StreamQueue::MarkLocked() {
  if (!pending_.empty() && pending_.back().kind == OpKind::kMark) return pending_.back().completion;
  auto mark = std::make_shared<Completion>();
  Push(Op::Mark(mark));
  return mark;
}

}  // namespace simgpu::cuda
