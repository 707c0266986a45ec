#include "simgpu/cuda/event/event.h"

#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/stream/host_thread.h"
#include "simgpu/cuda/stream/stream.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

// Between two looks at an event that another process records.
constexpr uint64_t kPollNs = 20'000;

}  // namespace

CUresult Event::Create(Context& context, unsigned flags, Event** event) {
  std::shared_ptr<SharedEvent> shared;
  if ((flags & CU_EVENT_INTERPROCESS) != 0) {
    SIMGPU_TRY(SharedEvent::Create(context.card(), &shared));
  }
  return Keep(std::make_shared<Event>(context.shared_from_this(), flags, std::move(shared)), event);
}

CUresult Event::Open(Context& context, const SharedEventName& name, Event** event) {
  std::shared_ptr<SharedEvent> shared;
  SIMGPU_TRY(SharedEvent::Open(name, &shared));
  const unsigned flags = CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  return Keep(std::make_shared<Event>(context.shared_from_this(), flags, std::move(shared)), event);
}

CUresult Event::Keep(const std::shared_ptr<Event>& made, Event** event) {
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  *event = made.get();
  made->cleanup_ = made->context_->AtDeactivation([made] {});
  return CUDA_SUCCESS;
}

void Event::Destroy() {
  const std::shared_ptr<Event> keep = shared_from_this();
  Retract();
  context_->CancelCleanup(cleanup_);
}

std::vector<Op> Event::RecordOps() {
  auto mark = std::make_shared<Completion>();
  std::vector<Op> ops;
  const uint64_t cost_ns = world::World::Instance().scenario().cards[context_->card()].event_ns;
  ops.push_back(Op::Mark(mark, cost_ns));
  if (shared_ != nullptr) {
    ops.push_back(
        Op::Effect([shared = shared_, record = shared_->Begin()] { shared->Reach(record); }));
  }
  const std::lock_guard lock(mutex_);
  latest_ = std::move(mark);
  captured_ = nullptr;
  return ops;
}

CUresult Event::Record(Stream& stream) { return stream.EnqueueAll(RecordOps()); }

std::optional<Op> Event::WaitOp() {
  if (shared_ != nullptr) {
    const uint64_t record = shared_->Latest();
    if (shared_->Done(record)) return std::nullopt;
    return Op::Poll([shared = shared_, record] { return shared->DoneOrOrphaned(record); });
  }
  std::shared_ptr<Completion> point = latest();
  if (point == nullptr || point->Reached(world::NowNs())) return std::nullopt;
  return Op::Wait(std::move(point));
}

CUresult Event::Query() {
  if (captured() != nullptr) return CUDA_ERROR_CAPTURED_EVENT;
  if (shared_ != nullptr) {
    return shared_->DoneOrOrphaned(shared_->Latest()) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  }
  const std::shared_ptr<Completion> point = latest();
  const bool reached = point == nullptr || point->Reached(world::NowNs());
  return reached ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult Event::Synchronize() {
  SIMGPU_REQUIRE(!InHostFunction(), CUDA_ERROR_NOT_PERMITTED);
  if (captured() != nullptr) return CUDA_ERROR_CAPTURED_EVENT;
  if (shared_ == nullptr) {
    if (const std::shared_ptr<Completion> point = latest()) point->Wait();
    return CUDA_SUCCESS;
  }
  const uint64_t record = shared_->Latest();
  while (!shared_->DoneOrOrphaned(record)) world::WaitUntil(world::NowNs() + kPollNs);
  return CUDA_SUCCESS;
}

CUresult Event::Elapsed(Event& start, Event& end, float* milliseconds) {
  SIMGPU_REQUIRE(((start.flags_ | end.flags_) & CU_EVENT_DISABLE_TIMING) == 0,
                 CUDA_ERROR_INVALID_HANDLE);
  const std::shared_ptr<Completion> first = start.latest();
  const std::shared_ptr<Completion> second = end.latest();
  SIMGPU_REQUIRE(first != nullptr && second != nullptr, CUDA_ERROR_INVALID_HANDLE);
  const uint64_t now_ns = world::NowNs();
  SIMGPU_REQUIRE(first->Reached(now_ns) && second->Reached(now_ns), CUDA_ERROR_NOT_READY);
  const auto elapsed_ns = static_cast<int64_t>(second->stamp_ns() - first->stamp_ns());
  *milliseconds = static_cast<float>(static_cast<double>(elapsed_ns) / 1e6);
  return CUDA_SUCCESS;
}

std::shared_ptr<const CapturedPoint> Event::captured() const {
  const std::lock_guard lock(mutex_);
  return captured_;
}

void Event::set_captured(std::shared_ptr<const CapturedPoint> point) {
  const std::lock_guard lock(mutex_);
  captured_ = std::move(point);
}

std::shared_ptr<Completion> Event::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

}  // namespace simgpu::cuda
