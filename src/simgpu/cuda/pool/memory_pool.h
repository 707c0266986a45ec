// A memory pool: card memory that stream-ordered allocation hands out and takes back. It grows by
// segments of 32 MiB, as a real pool does, and by less when the card is nearly full, so that
// nothing is refused that would fit. Reserved memory above the release threshold goes back to the
// card when the program synchronizes (pool/release.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/memory/allocation.h"
#include "simgpu/cuda/pool/block_heap.h"
#include "simgpu/cuda/result.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {

class Context;
class Stream;

struct PoolSpec {
  CUmemPoolProps props = {};
  int card = -1;
  uint64_t id = 0;        // names it to other processes; unique in the world
  bool imported = false;  // of another process: its memory is opened piece by piece, none is made
};

class MemoryPool : public Handled<MemoryPool, CUmemoryPool, HandleKind::kMemoryPool>,
                   public std::enable_shared_from_this<MemoryPool> {
 public:
  explicit MemoryPool(const PoolSpec& spec);
  ~MemoryPool();

  // The pool an allocation of origin kPool came from.
  static MemoryPool& Of(const Allocation& allocation) {
    return static_cast<const Owner*>(allocation.owner)->pool;
  }

  const PoolSpec& spec() const { return spec_; }

  // An address for `stream` to use from now on; belongs to the context of the stream.
  CUresult Allocate(Stream& stream, size_t bytes, CUdeviceptr* pointer);

  // The allocation, already out of the map, returns to the pool when the stream gets there.
  void FreeInStream(const Allocation& allocation, Stream& stream);

  // Returns it now: cuMemFree, and the end of its context.
  void FreeNow(const Allocation& allocation);

  CUresult GetAttribute(CUmemPool_attribute attribute, void* value);
  CUresult SetAttribute(CUmemPool_attribute attribute, const void* value);
  CUresult SetAccess(const CUmemAccessDesc& access);
  CUresult GetAccess(const CUmemLocation& location, CUmemAccess_flags* flags);

  // Gives free segments back to the card, as long as at least `keep` bytes stay reserved.
  void TrimTo(size_t keep);
  // The same down to the release threshold.
  void ReleaseExcess();

  // Whether memory was freed that a stream has not got to yet, or goes back with the pool.
  bool waits();

  // The program has destroyed it: the handle is invalid, memory goes as it becomes free, and the
  // pool with the last of it.
  void Destroy();

  // The extent an allocation lies in, and where in it; for sharing it.
  world::Extent ExtentOf(const Allocation& allocation, uint64_t* offset) const;

 private:
  struct Owner final : AllocationOwner {
    explicit Owner(MemoryPool& pool) : pool(pool) {}
    void TakeBack(const Allocation& allocation) override { pool.FreeNow(allocation); }
    MemoryPool& pool;
  };

  PoolBlock* TakeBlock(size_t bytes, uint64_t stream);
  PoolBlock* TakeBlockAtAnyCost(Stream& stream, size_t bytes);
  bool Grow(size_t bytes);
  bool AddSegment(size_t bytes);
  uint64_t Reserved() const;
  void StreamReached(uint64_t ticket);
  void GiveBackLocked(size_t keep);
  void AfterFree(std::unique_lock<std::mutex> lock);
  std::unique_lock<std::mutex> Lock() const;

  // Held, with the lock, while what the pool holds is made another.
  class ReservedChange {
   public:
    explicit ReservedChange(MemoryPool& pool);
    ~ReservedChange();
    ReservedChange(const ReservedChange&) = delete;
    ReservedChange& operator=(const ReservedChange&) = delete;

   private:
    MemoryPool& pool_;
  };

  const PoolSpec spec_;
  // What the pool holds, so that asking for it waits for nobody; kReservedChanging while segments
  // come or go: then the lock tells.
  static constexpr uint64_t kReservedChanging = UINT64_MAX;
  std::atomic<uint64_t> reserved_now_{0};
  Owner owner_{*this};
  // Away from what is asked for without it.
  alignas(64) mutable std::mutex
      mutex_;  // guards the rest; held while extents are made, not while waiting
  BlockHeap heap_;
  uint64_t release_threshold_ = 0;
  size_t reserved_high_ = 0;
  size_t used_high_ = 0;
  int reuse_[3] = {1, 1, 1};  // by attribute, in the order of their numbers; reported, not obeyed
  std::map<CUdevice, CUmemAccess_flags> access_;
  bool destroyed_ = false;
};

}  // namespace simgpu::cuda
