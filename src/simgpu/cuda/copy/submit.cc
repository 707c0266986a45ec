#include "simgpu/cuda/copy/submit.h"

#include <memory>
#include <utility>
#include <vector>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/graph/capture.h"

namespace simgpu::cuda {
namespace {

// A real driver takes pageable sources up to this size into the command buffer.
constexpr size_t kSetAsideBytes = size_t{64} << 10;

// The stream of a synchronous function, unless a capture is in its way.
CUresult DefaultStreamFor(DefaultStream mode, Stream** stream) {
  SIMGPU_TRY(Stream::Resolve(nullptr, mode, stream));
  if (mode == DefaultStream::kLegacy) return RefuseLegacyWhileCapturing((*stream)->context());
  return (*stream)->capturing() ? RefuseWhileCapturing() : CUDA_SUCCESS;
}

CUresult StreamFor(CUstream handle, DefaultStream mode, Stream** stream) {
  SIMGPU_TRY(Stream::Resolve(handle, mode, stream));
  if ((*stream)->spec().role != StreamRole::kLegacy) return CUDA_SUCCESS;
  return RefuseLegacyWhileCapturing((*stream)->context());
}

bool IsOnCards(const CopyPlan& plan) {
  return plan.to.place == Place::kDevice && plan.from.place == Place::kDevice &&
         !plan.to.sync_memops && !plan.from.sync_memops;
}

// The same copy from a packed duplicate of its source, made now.
CopyPlan SetSourceAside(const CopyPlan& plan, std::shared_ptr<std::vector<std::byte>>* aside) {
  CopyPlan other = plan;
  *aside = std::make_shared<std::vector<std::byte>>(plan.extent.bytes());
  other.from.view = {(*aside)->data(), plan.extent.width, plan.extent.width * plan.extent.height};
  CopyBox(other.from.view, plan.from.view, plan.extent);
  return other;
}

CUresult EnqueueCopy(Stream& stream, const CopyPlan& plan, SourceUse use) {
  if (plan.to.place == Place::kPageable) return stream.EnqueueAndWait(OpOf(plan));
  const bool keeps_source = plan.from.place != Place::kPageable && use == SourceUse::kInStreamOrder;
  if (keeps_source) return stream.Enqueue(OpOf(plan));
  if (plan.extent.bytes() > kSetAsideBytes) return stream.EnqueueAndWait(OpOf(plan));
  std::shared_ptr<std::vector<std::byte>> aside;
  Op op = OpOf(SetSourceAside(plan, &aside));
  op.effect = [aside, effect = std::move(op.effect)] { effect(); };
  return stream.Enqueue(std::move(op));
}

CUresult WaitForAll(const std::vector<Context*>& contexts, Stream& stream) {
  std::vector<Op> waits;
  for (Context* const context : contexts) {
    for (auto& mark : context->Marks()) waits.push_back(Op::Wait(std::move(mark)));
  }
  return waits.empty() ? CUDA_SUCCESS : stream.EnqueueAll(std::move(waits));
}

// A stream that is being captured takes no work: what it captures runs later anyway. Blocking
// streams made later come after the legacy one; it is made here where there is none.
CUresult HoldBackAll(const std::vector<Context*>& contexts, const Stream& stream) {
  if (contexts.empty()) return CUDA_SUCCESS;
  const std::shared_ptr<Completion> mark = stream.Mark();
  for (Context* const context : contexts) {
    context->LegacyStream();
    for (const auto& other : context->Streams()) {
      if (other.get() == &stream || other->capturing()) continue;
      SIMGPU_TRY(other->Enqueue(Op::Wait(mark)));
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult CopyNow(const CUDA_MEMCPY3D& copy, DefaultStream mode) {
  return CopyNowAmong({}, copy, mode);
}

CUresult CopyNowAmong(const std::vector<Context*>& contexts, const CUDA_MEMCPY3D& copy,
                      DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(DefaultStreamFor(mode, &stream));
  CopyPlan plan;
  SIMGPU_TRY(PlanCopy(copy, &plan));
  if (plan.empty()) return CUDA_SUCCESS;
  SIMGPU_TRY(CommitTarget(plan));
  SIMGPU_TRY(WaitForAll(contexts, *stream));
  SIMGPU_TRY(IsOnCards(plan) ? stream->Enqueue(OpOf(plan)) : stream->EnqueueAndWait(OpOf(plan)));
  return HoldBackAll(contexts, *stream);
}

CUresult CopyInStream(const CUDA_MEMCPY3D& copy, CUstream handle, DefaultStream mode,
                      SourceUse use) {
  Stream* stream = nullptr;
  SIMGPU_TRY(StreamFor(handle, mode, &stream));
  if (stream->capturing()) {
    NodeParams params = CopyParams{.copy = copy, .context = stream->context().handle()};
    return CaptureNode(*stream, params);
  }
  CopyPlan plan;
  SIMGPU_TRY(PlanCopy(copy, &plan));
  if (plan.empty()) return CUDA_SUCCESS;
  SIMGPU_TRY(CommitTarget(plan));
  return EnqueueCopy(*stream, plan, use);
}

CUresult FillNow(const CUDA_MEMSET_NODE_PARAMS_v2& fill, DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(DefaultStreamFor(mode, &stream));
  FillPlan plan;
  SIMGPU_TRY(PlanFill(fill, &plan));
  if (plan.extent.empty()) return CUDA_SUCCESS;
  SIMGPU_TRY(CommitTarget(plan));
  const bool wait = plan.to.place != Place::kDevice || plan.to.sync_memops;
  return wait ? stream->EnqueueAndWait(OpOf(plan)) : stream->Enqueue(OpOf(plan));
}

CUresult FillInStream(const CUDA_MEMSET_NODE_PARAMS_v2& fill, CUstream handle, DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(StreamFor(handle, mode, &stream));
  if (stream->capturing()) {
    NodeParams params = FillParams{.fill = fill};
    return CaptureNode(*stream, params);
  }
  FillPlan plan;
  SIMGPU_TRY(PlanFill(fill, &plan));
  if (plan.extent.empty()) return CUDA_SUCCESS;
  SIMGPU_TRY(CommitTarget(plan));
  return stream->Enqueue(OpOf(plan));
}

}  // namespace simgpu::cuda
