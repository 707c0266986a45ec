// A CUDA context: a process's hold on one card. Primary contexts keep one handle for the life of
// the process and are live while retained; contexts the program creates are live until destroyed.
// Green contexts are contexts too (context/green_context.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "simgpu/cuda/context/limits.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Completion;
class Stream;
struct QueueGroup;
struct StreamSpec;

enum class ContextKind : uint8_t { kPrimary, kCreated, kGreen };

struct ContextSpec {
  ContextKind kind = ContextKind::kCreated;
  CUdevice device = 0;
  int card = 0;
  unsigned flags = 0;
  unsigned api_version = 3020;
  unsigned sm_count = 0;  // that its kernels run on
};

class Context : public Handled<Context, CUcontext, HandleKind::kContext>,
                public std::enable_shared_from_this<Context> {
 public:
  // A live context that keeps itself until Destroy. CUDA_ERROR_OUT_OF_MEMORY when the card has not
  // the memory a context costs.
  static CUresult Create(const ContextSpec& spec, std::shared_ptr<Context>* context);

  explicit Context(const ContextSpec& spec);
  ~Context();

  // Live: its card memory is charged, and its streams take work.
  CUresult Activate();
  // Waits for the context's work, runs the cleanups, gives back its memory. Idempotent.
  void Deactivate();
  bool live() const { return live_.load(std::memory_order_acquire); }
  // From then on all that concerns the context fails with `failure`, until it is deactivated, and
  // its streams call no host functions.
  void Fail(CUresult failure) { failure_.store(failure, std::memory_order_release); }
  CUresult failure() const { return failure_.load(std::memory_order_acquire); }
  // Deactivates, and the program's handle becomes invalid. Not for primary contexts.
  void Destroy();

  // cuCtxAttach and cuCtxDetach; Detach says whether that was the last reference.
  void Attach() { references_.fetch_add(1, std::memory_order_relaxed); }
  bool Detach() { return references_.fetch_sub(1, std::memory_order_relaxed) == 1; }

  ContextKind kind() const { return spec_.kind; }
  CUdevice device() const { return spec_.device; }  // ordinal among the visible devices
  int card() const { return spec_.card; }           // index in the world
  unsigned sm_count() const { return spec_.sm_count; }
  uint64_t id() const { return id_; }  // unique in the process, never reused
  unsigned api_version() const { return spec_.api_version; }
  unsigned flags() const { return flags_.load(std::memory_order_relaxed); }
  void set_flags(unsigned flags) { flags_.store(flags, std::memory_order_relaxed); }
  Limits& limits() { return limits_; }
  CUgreenCtx green_handle() const { return green_handle_.load(std::memory_order_acquire); }
  void set_green_handle(CUgreenCtx green) { green_handle_.store(green, std::memory_order_release); }

  // Streams live in the context until they are destroyed, or it is.
  std::shared_ptr<Stream> NewStream(const StreamSpec& spec);
  Stream& LegacyStream();
  // The per-thread default stream of the calling thread.
  Stream& ThreadStream();
  std::vector<std::shared_ptr<Stream>> Streams() const;
  // It has been destroyed: it is none of Streams() any more, but what it was given is still waited
  // for, as cuStreamDestroy has it.
  void Leave(const Stream& stream);
  // A point in each stream after all that it was given so far, destroyed ones among them.
  std::vector<std::shared_ptr<Completion>> Marks() const;
  const std::shared_ptr<QueueGroup>& queue_group() const { return queue_group_; }
  // Waits for the work of all its streams, destroyed ones among them.
  CUresult Synchronize();

  // Runs when the context is deactivated, latest first, after its work has ended: what lives in
  // the context (allocations, modules, events) frees itself by it. Returns a key for CancelCleanup.
  uint64_t AtDeactivation(std::function<void()> cleanup);
  void CancelCleanup(uint64_t key);

  // cuCtxEnablePeerAccess: whether this context may reach allocations of `peer`.
  CUresult EnablePeer(const Context& peer);
  CUresult DisablePeer(const Context& peer);
  bool ReachesPeer(const Context& peer) const;

 private:
  void RunCleanups();
  void DropIdle();  // of `leaving_`
  uint64_t MemoryCost() const;

  const ContextSpec spec_;
  const uint64_t id_;
  const std::shared_ptr<QueueGroup> queue_group_;
  std::atomic<bool> live_{false};
  std::atomic<CUresult> failure_{CUDA_SUCCESS};
  std::atomic<unsigned> flags_;
  std::atomic<int> references_{1};
  std::atomic<CUgreenCtx> green_handle_{nullptr};  // nullptr for contexts that are not green
  std::atomic<Stream*> legacy_stream_{nullptr};    // of streams_
  Limits limits_;

  mutable std::mutex mutex_;  // guards the rest
  std::shared_ptr<Context> self_;
  std::map<const Stream*, std::shared_ptr<Stream>> streams_;
  std::vector<std::shared_ptr<Stream>> leaving_;  // destroyed, and not seen idle since
  std::set<uint64_t> peers_;                      // ids of contexts
  uint64_t next_cleanup_ = 1;
  std::map<uint64_t, std::function<void()>> cleanups_;
};

}  // namespace simgpu::cuda
