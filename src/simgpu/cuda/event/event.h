// A CUDA event: the point in a stream that it was last recorded at. Interprocess events are known
// by a state that other processes see, whoever of them records.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "simgpu/cuda/event/shared_event.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/op.h"

namespace simgpu::cuda {

class Context;
class Stream;
struct CapturedPoint;

class Event : public Handled<Event, CUevent, HandleKind::kEvent>,
              public std::enable_shared_from_this<Event> {
 public:
  // The context keeps it until Destroy, or until it ends itself.
  static CUresult Create(Context& context, unsigned flags, Event** event);
  static CUresult Open(Context& context, const SharedEventName& name, Event** event);

  Event(std::shared_ptr<Context> context, unsigned flags, std::shared_ptr<SharedEvent> shared)
      : context_(std::move(context)), flags_(flags), shared_(std::move(shared)) {}

  void Destroy();

  Context& context() const { return *context_; }
  SharedEvent* shared() const { return shared_.get(); }

  CUresult Record(Stream& stream);
  // The work of a record, for those who put it into a stream themselves; the event has been
  // recorded by this call.
  std::vector<Op> RecordOps();
  // The work of waiting for the latest record; nothing when there is none, or it is reached.
  std::optional<Op> WaitOp();

  // CUDA_SUCCESS, also when it was never recorded; CUDA_ERROR_NOT_READY; CUDA_ERROR_CAPTURED_EVENT.
  CUresult Query();
  CUresult Synchronize();
  static CUresult Elapsed(Event& start, Event& end, float* milliseconds);

  // Where it was recorded during a stream capture, if that was its last record (graph/capture.cc).
  std::shared_ptr<const CapturedPoint> captured() const;
  void set_captured(std::shared_ptr<const CapturedPoint> point);

 private:
  static CUresult Keep(const std::shared_ptr<Event>& made, Event** event);
  std::shared_ptr<Completion> latest() const;

  const std::shared_ptr<Context> context_;
  const unsigned flags_;
  const std::shared_ptr<SharedEvent> shared_;
  uint64_t cleanup_ = 0;  // key in the context

  mutable std::mutex mutex_;
  std::shared_ptr<Completion> latest_;
  std::shared_ptr<const CapturedPoint> captured_;
};

}  // namespace simgpu::cuda
