// A CUDA stream: work in order. Streams created by the program, the legacy default stream of a
// context, the per-thread default streams, and the branches inside a launched graph are all this
// class. The rules between the legacy default stream and blocking streams are applied by Enqueue.
#pragma once

#include <cstdint>
#include <memory>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/op.h"

namespace simgpu::cuda {

class Context;
class Capture;
class StreamQueue;  // the executor's view of a stream: stream/stream_queue.h

// Which stream 0 means: the exported symbols ending in _ptds and _ptsz pass kPerThread.
enum class DefaultStream : uint8_t { kLegacy, kPerThread };

enum class StreamRole : uint8_t {
  kBlocking,     // waits for the legacy default stream, and it for this one
  kNonBlocking,  // CU_STREAM_NON_BLOCKING, and graph branches
  kLegacy,       // one in a context
};

struct StreamSpec {
  StreamRole role = StreamRole::kBlocking;
  unsigned flags = 0;  // as cuStreamGetFlags reports them
  int priority = 0;
  bool has_handle = true;  // default streams and graph branches are not named by a slot
};

class Stream : public Handled<Stream, CUstream, HandleKind::kStream>,
               public std::enable_shared_from_this<Stream> {
 public:
  // The stream a program names. Stream 0 and the two special handles mean a default stream of the
  // current context. Fails as the driver does: CUDA_ERROR_NOT_INITIALIZED,
  // CUDA_ERROR_INVALID_CONTEXT (no context is current), CUDA_ERROR_INVALID_HANDLE.
  static CUresult Resolve(CUstream handle, DefaultStream mode, Stream** stream);

  Stream(std::shared_ptr<Context> context, const StreamSpec& spec);
  ~Stream();

  Context& context() const { return *context_; }
  const StreamSpec& spec() const { return spec_; }
  uint64_t id() const { return id_; }  // as cuStreamGetId reports it; unique in the process

  // Adds work. Returns at once, unless 1024 pieces of work are waiting already. A stream that is
  // being captured takes no work: capture it (graph/capture.h) or give the call's own error.
  CUresult Enqueue(Op op);

  // The same, and waits for it: for synchronous calls. Runs the effect in the calling thread when
  // nothing else is in its way.
  CUresult EnqueueAndWait(Op op);

  // Waits for all work enqueued so far.
  CUresult Synchronize();

  // CUDA_SUCCESS or CUDA_ERROR_NOT_READY.
  CUresult Query() const;

  // A point after all work enqueued so far; reached at once for an idle stream.
  std::shared_ptr<Completion> MarkNow();

  // True while cuStreamBeginCapture is in force, invalidated captures included.
  bool capturing() const { return capture_ != nullptr; }
  const std::shared_ptr<Capture>& capture() const { return capture_; }
  void set_capture(std::shared_ptr<Capture> capture) { capture_ = std::move(capture); }

  // The program's handle goes; the work goes on to its end.
  void Destroy();

  StreamQueue& queue() const { return *queue_; }

 private:
  const std::shared_ptr<Context> context_;
  const StreamSpec spec_;
  const uint64_t id_;
  const std::shared_ptr<StreamQueue> queue_;
  std::shared_ptr<Capture> capture_;
};

}  // namespace simgpu::cuda
