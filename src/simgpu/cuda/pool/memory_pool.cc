#include "simgpu/cuda/pool/memory_pool.h"

#include <algorithm>
#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/pool/pools.h"
#include "simgpu/cuda/pool/release.h"
#include "simgpu/cuda/stream/stream.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

constexpr size_t kSegmentBytes = size_t{32} << 20;  // what a real pool grows by
constexpr size_t kBlockBytes = world::kBlockBytes;

size_t RoundUp(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

world::Memory& CardMemory() { return world::World::Instance().memory(); }

PoolBlock* BlockOf(const Allocation& allocation) {
  return static_cast<PoolBlock*>(allocation.token);
}

}  // namespace

MemoryPool::MemoryPool(const PoolSpec& spec) : spec_(spec) {
  access_[spec.props.location.id] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

MemoryPool::~MemoryPool() { GiveBackLocked(0); }

// Allocations meet the frees of the card's own thread here, which are over in less time than
// falling asleep takes.
std::unique_lock<std::mutex> MemoryPool::Lock() const {
  constexpr int kLooks = 100;
  std::unique_lock lock(mutex_, std::try_to_lock);
  for (int look = 0; look < kLooks && !lock.owns_lock(); look++) {
    __builtin_ia32_pause();
    (void)lock.try_lock();
  }
  if (!lock.owns_lock()) lock.lock();
  return lock;
}

CUresult MemoryPool::Allocate(Stream& stream, size_t bytes, CUdeviceptr* pointer) {
  const size_t rounded = BlockHeap::Round(bytes);
  SIMGPU_REQUIRE(rounded != 0, CUDA_ERROR_OUT_OF_MEMORY);
  PoolBlock* const block = TakeBlockAtAnyCost(stream, rounded);
  SIMGPU_REQUIRE(block != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  Allocation allocation;
  allocation.base = block->at;
  allocation.bytes = bytes;
  allocation.origin = Origin::kPool;
  allocation.device = spec_.props.location.id;
  allocation.card = spec_.card;
  allocation.owner = &owner_;
  allocation.token = block;
  if (!AllocationMap::Instance().InsertIn(stream.context(), allocation)) {
    FreeNow(allocation);
    return CUDA_ERROR_UNKNOWN;
  }
  *pointer = block->at;
  return CUDA_SUCCESS;
}

PoolBlock* MemoryPool::TakeBlock(size_t bytes, uint64_t stream) {
  const auto lock = Lock();
  PoolBlock* block = heap_.Take(bytes, stream);
  if (block == nullptr && Grow(bytes)) block = heap_.Take(bytes, stream);
  if (block == nullptr && !heap_.waiting()) {
    // Free segments that are each too small make room for one that is not.
    GiveBackLocked(0);
    if (Grow(bytes)) block = heap_.Take(bytes, stream);
  }
  used_high_ = std::max(used_high_, heap_.used());
  return block;
}

// Before it refuses, the pool waits for frees that the card has not got to yet, its own and those
// of pools that are destroyed already. What did not wait any more may have come back meanwhile.
PoolBlock* MemoryPool::TakeBlockAtAnyCost(Stream& stream, size_t bytes) {
  if (PoolBlock* const block = TakeBlock(bytes, stream.id())) return block;
  if (AnyPoolWaits(spec_.card)) stream.context().Synchronize();
  return TakeBlock(bytes, stream.id());
}

bool MemoryPool::waits() {
  const std::lock_guard lock(mutex_);
  return heap_.waiting() || destroyed_;
}

bool MemoryPool::Grow(size_t bytes) {
  const size_t limit = spec_.props.maxSize;
  if (bytes > (size_t{1} << 60)) return false;
  for (const size_t step : {kSegmentBytes, kBlockBytes, BlockHeap::kAlignment}) {
    const size_t segment = RoundUp(bytes, step);
    if (limit != 0 && heap_.reserved() + segment > limit) continue;
    if (AddSegment(segment)) return true;
  }
  return false;
}

// Nobody sees the card give or take back a segment and then the figure of before.
MemoryPool::ReservedChange::ReservedChange(MemoryPool& pool) : pool_(pool) {
  pool_.reserved_now_.store(kReservedChanging, std::memory_order_relaxed);
}

MemoryPool::ReservedChange::~ReservedChange() {
  pool_.reserved_now_.store(pool_.heap_.reserved(), std::memory_order_release);
}

uint64_t MemoryPool::Reserved() const {
  const uint64_t reserved = reserved_now_.load(std::memory_order_acquire);
  if (reserved != kReservedChanging) return reserved;
  const std::lock_guard lock(mutex_);
  return heap_.reserved();
}

bool MemoryPool::AddSegment(size_t bytes) {
  const ReservedChange change(*this);
  const auto extent = CardMemory().AllocateExtent(spec_.card, bytes, world::MemoryKind::kData);
  if (!extent) return false;
  heap_.AddSegment({.base = reinterpret_cast<uintptr_t>(extent->address),
                    .bytes = bytes,
                    .token = new world::Extent(*extent)});
  reserved_high_ = std::max(reserved_high_, heap_.reserved());
  return true;
}

void MemoryPool::FreeInStream(const Allocation& allocation, Stream& stream) {
  uint64_t ticket = 0;
  {
    const auto lock = Lock();
    ticket = heap_.PutInStream(BlockOf(allocation), stream.id());
  }
  const auto reached = [pool = shared_from_this(), ticket] { pool->StreamReached(ticket); };
  if (stream.Enqueue(Op::Effect(reached)) != CUDA_SUCCESS) reached();
}

// Both keep the pool: it may be destroyed already and end with this free.
void MemoryPool::StreamReached(uint64_t ticket) {
  const auto keep = shared_from_this();
  auto lock = Lock();
  heap_.StreamReached(ticket);
  AfterFree(std::move(lock));
}

void MemoryPool::FreeNow(const Allocation& allocation) {
  const auto keep = shared_from_this();
  auto lock = Lock();
  heap_.Put(BlockOf(allocation));
  AfterFree(std::move(lock));
}

void MemoryPool::AfterFree(std::unique_lock<std::mutex> lock) {
  if (!destroyed_) {
    if (heap_.reserved() > release_threshold_) NotePoolExcess();
    return;
  }
  GiveBackLocked(0);
  if (heap_.reserved() != 0) return;
  lock.unlock();
  ForgetPool(this);
}

void MemoryPool::TrimTo(size_t keep) {
  const std::lock_guard lock(mutex_);
  GiveBackLocked(keep);
}

void MemoryPool::ReleaseExcess() {
  const std::lock_guard lock(mutex_);
  if (heap_.reserved() > release_threshold_) GiveBackLocked(release_threshold_);
}

void MemoryPool::GiveBackLocked(size_t keep) {
  const ReservedChange change(*this);
  for (const SegmentSource& source : heap_.RemoveFree(keep)) {
    const std::unique_ptr<world::Extent> extent(static_cast<world::Extent*>(source.token));
    CardMemory().Release(*extent);
  }
}

void MemoryPool::Destroy() {
  Retract();
  auto lock = Lock();
  destroyed_ = true;
  AfterFree(std::move(lock));
}

world::Extent MemoryPool::ExtentOf(const Allocation& allocation, uint64_t* offset) const {
  const std::lock_guard lock(mutex_);
  const SegmentSource source = BlockHeap::SourceOf(*BlockOf(allocation));
  *offset = allocation.base - source.base;
  return *static_cast<world::Extent*>(source.token);
}

}  // namespace simgpu::cuda
