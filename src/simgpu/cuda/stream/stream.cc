#include "simgpu/cuda/stream/stream.h"

#include <utility>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/stream/host_thread.h"
#include "simgpu/cuda/stream/stream_queue.h"

namespace simgpu::cuda {
namespace {

uint64_t NextId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<StreamQueue> MakeQueue(const Context& context, const StreamSpec& spec) {
  return std::make_shared<StreamQueue>(QueueSpec{.card = context.card(),
                                                 .role = spec.role,
                                                 .priority = spec.priority,
                                                 .group = context.queue_group()});
}

}  // namespace

CUresult Stream::Resolve(CUstream handle, DefaultStream mode, Stream** stream) {
  if (handle == nullptr && mode == DefaultStream::kPerThread) handle = CU_STREAM_PER_THREAD;
  if (handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
    Context* context = nullptr;
    SIMGPU_TRY(CurrentContext(&context));
    *stream = handle == CU_STREAM_PER_THREAD ? &context->ThreadStream() : &context->LegacyStream();
    return CUDA_SUCCESS;
  }
  SIMGPU_TRY(Ready());
  *stream = From(handle);
  SIMGPU_REQUIRE(*stream != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return (*stream)->context().failure();
}

Stream::Stream(std::shared_ptr<Context> context, const StreamSpec& spec)
    : context_(std::move(context)),
      spec_(spec),
      id_(NextId()),
      queue_(MakeQueue(*context_, spec_)) {}

Stream::~Stream() { queue_->LeaveGroup(); }

CUresult Stream::Enqueue(Op op) {
  SIMGPU_REQUIRE(context_->live(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  queue_->Enqueue(std::move(op));
  return CUDA_SUCCESS;
}

CUresult Stream::EnqueueAll(std::vector<Op> ops) {
  SIMGPU_REQUIRE(context_->live(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  queue_->EnqueueAll(std::move(ops));
  return CUDA_SUCCESS;
}

CUresult Stream::EnqueueAndWait(Op op) {
  SIMGPU_REQUIRE(!InHostFunction(), CUDA_ERROR_NOT_PERMITTED);
  SIMGPU_REQUIRE(context_->live(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  queue_->EnqueueAndWait(std::move(op));
  return CUDA_SUCCESS;
}

CUresult Stream::Synchronize() {
  SIMGPU_REQUIRE(!InHostFunction(), CUDA_ERROR_NOT_PERMITTED);
  Mark()->Wait();
  return context_->failure();
}

CUresult Stream::Query() const { return queue_->Idle() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY; }

std::shared_ptr<Completion> Stream::Mark() const { return queue_->Mark(); }

void Stream::set_capture(std::shared_ptr<Capture> capture) {
  capture_ = std::move(capture);
  capturing_.store(capture_ != nullptr, std::memory_order_release);
}

void Stream::Destroy() {
  EndCaptureOfDestroyed(*this);
  Retract();
  context_->Leave(*this);
}

}  // namespace simgpu::cuda
