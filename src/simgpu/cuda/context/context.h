// A CUDA context: a process's hold on one card. Primary contexts keep one handle for the life of
// the process and are live while retained; contexts the program creates are live until destroyed.
// Green contexts are contexts too (context/green_context.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simgpu/cuda/context/limits.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Stream;

enum class ContextKind : uint8_t { kPrimary, kCreated, kGreen };

struct ContextSpec {
  ContextKind kind = ContextKind::kCreated;
  CUdevice device = 0;
  unsigned flags = 0;
  unsigned api_version = 3020;
  int sm_count = 0;  // 0: all of the card's
};

class Context : public Handled<Context, CUcontext, HandleKind::kContext>,
                public std::enable_shared_from_this<Context> {
 public:
  // Charges the card for the context: CUDA_ERROR_OUT_OF_MEMORY when it does not fit.
  static CUresult Create(const ContextSpec& spec, std::shared_ptr<Context>* context);

  explicit Context(const ContextSpec& spec);
  ~Context();

  // Live: its card memory is charged, and its streams take work.
  CUresult Activate();
  // Waits for the context's work, runs the cleanups, gives back its memory. Idempotent.
  void Deactivate();
  bool live() const { return live_.load(std::memory_order_acquire); }
  // The program's handle becomes invalid; for contexts that are not primary.
  void Destroy();

  ContextKind kind() const { return spec_.kind; }
  CUdevice device() const { return spec_.device; }  // ordinal among the visible devices
  int card() const { return card_; }                // index in the world
  int sm_count() const { return sm_count_; }
  uint64_t id() const { return id_; }  // unique in the process, never reused
  unsigned api_version() const { return spec_.api_version; }
  unsigned flags() const { return flags_.load(std::memory_order_relaxed); }
  void set_flags(unsigned flags) { flags_.store(flags, std::memory_order_relaxed); }
  Limits& limits() { return limits_; }

  Stream& LegacyStream();
  // The per-thread default stream of the calling thread.
  Stream& ThreadStream();
  // Every live stream of the context, default streams included.
  std::vector<std::shared_ptr<Stream>> Streams() const;
  CUresult Synchronize();

  // Runs when the context is deactivated, latest first, after its work has ended: what lives in
  // the context (allocations, modules, events) frees itself by it. Returns a key for CancelCleanup.
  uint64_t AtDeactivation(std::function<void()> cleanup);
  void CancelCleanup(uint64_t key);

  // cuCtxEnablePeerAccess: whether this context may reach allocations of `peer`.
  CUresult EnablePeer(Context& peer);
  CUresult DisablePeer(Context& peer);
  bool ReachesPeer(const Context& peer) const;

 private:
  friend class Stream;
  void Register(Stream* stream);
  void Unregister(Stream* stream);

  const ContextSpec spec_;
  const int card_;
  const int sm_count_;
  const uint64_t id_;
  std::atomic<bool> live_{false};
  std::atomic<unsigned> flags_;
  Limits limits_;

  mutable std::mutex mutex_;  // guards the rest
  uint64_t charge_ = 0;       // the world's account entry for the context itself
  std::shared_ptr<Stream> legacy_stream_;
  std::vector<Stream*> streams_;
  std::vector<uint64_t> peers_;  // ids of contexts
  uint64_t next_cleanup_ = 1;
  std::vector<std::pair<uint64_t, std::function<void()>>> cleanups_;
};

}  // namespace simgpu::cuda
