// How the work of a stream moves on.
#include <algorithm>
#include <utility>

#include "simgpu/cuda/stream/dispatcher.h"
#include "simgpu/cuda/stream/stream_queue.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

using world::EngineKind;
using world::World;

// Work that can begin this soon after the engine's last is placed at once, which leaves the engine
// idle that long; for work that can only begin later, the place is asked for when the time comes,
// so that other streams can go before.
constexpr uint64_t kGapNs = 20'000;

// Between two looks at memory that a stream waits to change.
constexpr uint64_t kPollNs = 20'000;

// An idle stream takes up together what it is given within this time: a point is stamped with the
// moment at which the work behind it could begin, whether or not the engine was free. Otherwise two
// events around one kernel would also measure how long the program took to submit it: microseconds,
// a percent of a kernel of 200 us.
constexpr uint64_t kTakeUpNs = 20'000;

// A copy is placed in pieces of this length, so that others get between.
constexpr uint64_t kPieceNs = 500'000;

EngineKind EngineOf(const Op& op) {
  if (op.kind == OpKind::kKernel) return EngineKind::kCompute;
  switch (op.route) {
    case CopyRoute::kHostToDevice:
      return EngineKind::kCopyIn;
    case CopyRoute::kDeviceToHost:
    case CopyRoute::kPeer:
      return EngineKind::kCopyOut;
    case CopyRoute::kDeviceToDevice:
      break;
  }
  return EngineKind::kCopyWithin;
}

// Turns bytes into nanoseconds the first time it is asked.
void FixDuration(Op& op, int card) {
  if (op.duration_fixed) return;
  op.duration_fixed = true;
  if (op.kind == OpKind::kKernel) return;
  world::Engine& engine = World::Instance().engine();
  op.amount = op.route == CopyRoute::kPeer && op.peer_card >= 0
                  ? engine.PeerCopyNs(card, op.peer_card, op.amount)
                  : engine.CopyNs(card, EngineOf(op), op.amount);
}

uint64_t PieceNs(const Op& op) {
  return op.kind == OpKind::kKernel ? op.amount : std::min(op.amount, kPieceNs);
}

}  // namespace

void StreamQueue::Advance() {
  RetireWithoutEffect();
  wake_ns_ = UINT64_MAX;
  while (!pending_.empty() && !in_lane_ && !host_running_ && Step()) {
  }
  RetireWithoutEffect();
  if (helpers_ == 0 && NextTime() != UINT64_MAX) {
    Dispatcher::Instance().Card(spec_.card).Watch(shared_from_this());
  }
  changed_.notify_all();
}

bool StreamQueue::Step() {
  Op& op = pending_.front();
  switch (op.kind) {
    case OpKind::kKernel:
    case OpKind::kCopy:
      return StepTimed(op);
    case OpKind::kEffect:
      tail_ns_ = std::max(tail_ns_, op.not_before_ns);
      in_flight_.push_back({.due_ns = tail_ns_, .effect = std::move(op.effect)});
      break;
    case OpKind::kMark:
      idle_mark_ = tail_ns_ < op.not_before_ns ? op.completion : nullptr;
      idle_mark_cost_ns_ = op.amount;
      tail_ns_ = std::max(tail_ns_, op.not_before_ns);
      op.completion->SetTime(tail_ns_);
      tail_ns_ += op.amount;
      in_flight_.push_back({.mark = std::move(op.completion)});
      break;
    case OpKind::kWait:
      return StepWait(op);
    case OpKind::kHostFunction:
    case OpKind::kPoll:
      return StepBarrier(op);
  }
  pending_.pop_front();
  return true;
}

bool StreamQueue::StepTimed(Op& op) {
  FixDuration(op, spec_.card);
  EngineLane& lane = Dispatcher::Instance().Lane(spec_.card, EngineOf(op));
  const uint64_t ready_ns = std::max(tail_ns_, op.not_before_ns);
  if (ready_ns > std::max(world::NowNs(), lane.tail_ns()) + kGapNs) {
    wake_ns_ = ready_ns;
    return false;
  }
  in_lane_ = true;
  lane.Add(shared_from_this());
  return false;
}

bool StreamQueue::StepWait(Op& op) {
  Completion& awaited = *op.completion;
  if (awaited.time_ns() == Completion::kUnknown) {
    if (!op.subscribed) awaited.Subscribe(shared_from_this());
    op.subscribed = true;
    return false;
  }
  tail_ns_ = std::max({tail_ns_, op.not_before_ns, awaited.stamp_ns()});
  if (!awaited.data_moved()) in_flight_.push_back({.gate = std::move(op.completion)});
  pending_.pop_front();
  return true;
}

// Host functions and polls happen in real time: everything before them must be over. Of points that
// came with them nothing is left to be done, and nobody would look here again when they retire.
bool StreamQueue::StepBarrier(Op& op) {
  RetireWithoutEffect();
  if (!in_flight_.empty()) return false;
  const uint64_t now_ns = world::NowNs();
  tail_ns_ = std::max(tail_ns_, op.not_before_ns);
  if (tail_ns_ > now_ns) {
    wake_ns_ = tail_ns_;
    return false;
  }
  if (op.kind == OpKind::kHostFunction) return CallHostFunction(op);
  if (!op.ready()) {
    wake_ns_ = now_ns + kPollNs;
    return false;
  }
  tail_ns_ = now_ns;
  pending_.pop_front();
  return true;
}

bool StreamQueue::CallHostFunction(Op& op) {
  host_running_ = true;
  Dispatcher::Instance().Host().Call(shared_from_this(), std::move(op.effect));
  return false;
}

void StreamQueue::HostFunctionDone(uint64_t now_ns) {
  host_running_ = false;
  tail_ns_ = std::max(tail_ns_, now_ns);
  pending_.pop_front();
  Dispatcher::Instance().Ready(*this);
}

void StreamQueue::Place(const world::Interval& interval) {
  in_lane_ = false;
  StampIdleMark(std::max(tail_ns_, pending_.front().not_before_ns));
  tail_ns_ = interval.end_ns;
  Op& op = pending_.front();
  if (op.effect) {
    in_flight_.push_back({.due_ns = interval.start_ns, .effect = std::move(op.effect)});
    op.effect = nullptr;
  }
  op.amount -= std::min(op.amount, PieceNs(op));
  op.not_before_ns = 0;
  if (op.amount == 0) pending_.pop_front();
  Dispatcher::Instance().Ready(*this);
}

void StreamQueue::StampIdleMark(uint64_t next_ready_ns) {
  const std::shared_ptr<Completion> mark = std::move(idle_mark_);
  if (mark == nullptr || next_ready_ns > mark->time_ns() + kTakeUpNs) return;
  mark->SetStamp(next_ready_ns - idle_mark_cost_ns_);
}

world::Work StreamQueue::NextWork() const {
  const Op& op = pending_.front();
  return {.card = spec_.card,
          .engine = EngineOf(op),
          .duration_ns = PieceNs(op),
          .ready_ns = std::max(tail_ns_, op.not_before_ns)};
}

bool StreamQueue::HasMoreFor(EngineKind engine) const {
  const Op& op = pending_.front();
  if (op.amount > PieceNs(op)) return true;
  if (pending_.size() < 2) return false;
  const Op& next = pending_[1];
  return (next.kind == OpKind::kKernel || next.kind == OpKind::kCopy) && EngineOf(next) == engine;
}

bool StreamQueue::RunDueEffect(std::unique_lock<std::mutex>& lock) {
  if (effect_running_ || in_flight_.empty()) return false;
  InFlight& front = in_flight_.front();
  if (front.gate != nullptr || !front.effect || front.due_ns > world::NowNs()) return false;
  effect_running_ = true;
  std::function<void()> effect = std::move(front.effect);
  lock.unlock();
  effect();
  effect = nullptr;
  lock.lock();
  effect_running_ = false;
  in_flight_.front().effect = nullptr;
  Dispatcher::Instance().Ready(*this);
  Dispatcher::Instance().Drain();
  return true;
}

void StreamQueue::RetireWithoutEffect() {
  while (!in_flight_.empty() && !effect_running_) {
    InFlight& front = in_flight_.front();
    if (front.gate != nullptr && !front.gate->data_moved()) {
      if (!front.subscribed) front.gate->Subscribe(shared_from_this());
      front.subscribed = true;
      return;
    }
    if (front.effect) return;
    const std::shared_ptr<Completion> mark = std::move(front.mark);
    in_flight_.pop_front();
    if (mark != nullptr) mark->SetDataMoved();
  }
}

uint64_t StreamQueue::NextTime() const {
  uint64_t next_ns = wake_ns_;
  if (!in_flight_.empty() && !effect_running_ && in_flight_.front().effect) {
    next_ns = std::min(next_ns, in_flight_.front().due_ns);
  }
  return next_ns;
}

}  // namespace simgpu::cuda
