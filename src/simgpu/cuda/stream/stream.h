// A CUDA stream: work in order. Streams created by the program, the legacy default stream of a
// context and the per-thread default streams are all this class. The rules between the legacy
// default stream and blocking streams are applied when work is enqueued.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/op.h"
#include "simgpu/cuda/stream/role.h"

namespace simgpu::cuda {

class Capture;
class Context;
class StreamQueue;

// Which stream 0 means: the exported symbols ending in _ptds and _ptsz pass kPerThread.
enum class DefaultStream : uint8_t { kLegacy, kPerThread };

struct StreamSpec {
  StreamRole role = StreamRole::kBlocking;
  unsigned flags = 0;  // as cuStreamGetFlags reports them
  int priority = 0;
};

using StreamAttributes = std::map<CUstreamAttrID, CUstreamAttrValue>;

class Stream : public Handled<Stream, CUstream, HandleKind::kStream>,
               public std::enable_shared_from_this<Stream> {
 public:
  // The stream a program names. Stream 0 and the two special handles mean a default stream of the
  // current context. Fails as the driver does: CUDA_ERROR_NOT_INITIALIZED,
  // CUDA_ERROR_INVALID_CONTEXT (no context is current), CUDA_ERROR_INVALID_HANDLE, or the failure
  // of its context.
  static CUresult Resolve(CUstream handle, DefaultStream mode, Stream** stream);

  Stream(std::shared_ptr<Context> context, const StreamSpec& spec);
  ~Stream();

  Context& context() const { return *context_; }
  const StreamSpec& spec() const { return spec_; }
  uint64_t id() const { return id_; }  // as cuStreamGetId reports it; unique in the process

  // Adds work. Returns at once, unless 1024 pieces of work are waiting already. A stream that is
  // being captured takes no work: capture it (graph/capture.h) or give the call's own error.
  CUresult Enqueue(Op op);
  CUresult EnqueueAll(std::vector<Op> ops);

  // The same, and waits for it: for synchronous calls. Runs the effect in the calling thread when
  // nothing else is in its way.
  CUresult EnqueueAndWait(Op op);

  // Waits for all work enqueued so far.
  CUresult Synchronize();

  // CUDA_SUCCESS or CUDA_ERROR_NOT_READY.
  CUresult Query() const;

  // A point after all work enqueued so far; reached already when the stream is idle.
  std::shared_ptr<Completion> Mark() const;

  // True while cuStreamBeginCapture is in force, invalidated captures included.
  bool capturing() const { return capturing_.load(std::memory_order_acquire); }

  // For graph/capture.cc, under its mutex.
  const std::shared_ptr<Capture>& capture() const { return capture_; }
  void set_capture(std::shared_ptr<Capture> capture);

  // For stream/attributes.cc, under its mutex.
  StreamAttributes& attributes() { return attributes_; }

  // The program's handle goes; the work goes on to its end.
  void Destroy();

  StreamQueue& queue() const { return *queue_; }

 private:
  const std::shared_ptr<Context> context_;
  const StreamSpec spec_;
  const uint64_t id_;
  const std::shared_ptr<StreamQueue> queue_;
  std::atomic<bool> capturing_{false};
  std::shared_ptr<Capture> capture_;
  StreamAttributes attributes_;
};

}  // namespace simgpu::cuda
