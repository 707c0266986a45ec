#include "simgpu/cuda/graph/graph_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

world::Memory& WorldMemory() { return world::World::Instance().memory(); }

// By address. Weak: nodes, executable graphs and launches keep their allocations.
using Registry = std::map<CUdeviceptr, std::weak_ptr<GraphAllocation>>;

Registry& All() {
  static auto* const all = new Registry;
  return *all;
}

// Guards the registry, the uses and every allocation. Recursive: giving memory back may end the
// last reference of another allocation.
std::recursive_mutex& MemoryMutex() {
  static auto* const mutex = new std::recursive_mutex;
  return *mutex;
}

GraphMemoryUse& UseOf(int card) {
  static auto* const uses = new std::map<int, GraphMemoryUse>;
  return (*uses)[card];
}

// The program frees the memory by its address.
class GraphOwner : public AllocationOwner {
 public:
  void TakeBack(const Allocation& allocation) override {
    if (const auto freed = GraphAllocation::At(allocation.base)) freed->SetLive(false);
  }
};

GraphOwner graph_owner;

// Memory behind a graph's allocation counts as used, and as reserved, until it is given back: also
// between launches and after it was freed, as the driver tells it.
void CountBacked(int card, uint64_t bytes) {
  GraphMemoryUse& use = UseOf(card);
  use.used = use.reserved += bytes;
  use.used_high = std::max(use.used_high, use.used);
  use.reserved_high = std::max(use.reserved_high, use.reserved);
}

void CountGivenBack(int card, uint64_t bytes) {
  GraphMemoryUse& use = UseOf(card);
  use.used = use.reserved -= bytes;
}

}  // namespace

CUresult GraphAllocation::Create(int card, size_t bytes,
                                 std::shared_ptr<GraphAllocation>* allocation) {
  SIMGPU_REQUIRE(bytes > 0, CUDA_ERROR_INVALID_VALUE);
  const size_t span = (bytes + world::kBlockBytes - 1) / world::kBlockBytes * world::kBlockBytes;
  SIMGPU_REQUIRE(span >= bytes, CUDA_ERROR_OUT_OF_MEMORY);
  void* const address =
      mmap(nullptr, span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  SIMGPU_REQUIRE(address != MAP_FAILED, CUDA_ERROR_OUT_OF_MEMORY);
  *allocation = std::make_shared<GraphAllocation>(card, bytes, span, address);
  const std::lock_guard lock(MemoryMutex());
  All()[(*allocation)->address()] = *allocation;
  return CUDA_SUCCESS;
}

std::shared_ptr<GraphAllocation> GraphAllocation::At(CUdeviceptr address) {
  const std::lock_guard lock(MemoryMutex());
  const auto after = All().upper_bound(address);
  if (after == All().begin()) return nullptr;
  std::shared_ptr<GraphAllocation> found = std::prev(after)->second.lock();
  return found != nullptr && address - found->address() < found->bytes_ ? found : nullptr;
}

GraphAllocation::~GraphAllocation() {
  const std::lock_guard lock(MemoryMutex());
  All().erase(address());
  if (extent_) {
    AllocationMap::Instance().Take(address(), {Origin::kGraph});
    CountGivenBack(card_, bytes_);
    WorldMemory().Unmap(address_, span_);
    WorldMemory().Release(*extent_);
  }
  munmap(address_, span_);
}

CUresult GraphAllocation::Back(Context& context) {
  const std::lock_guard lock(MemoryMutex());
  if (!extent_) {
    extent_ = WorldMemory().AllocateExtent(card_, bytes_, world::MemoryKind::kData);
    SIMGPU_REQUIRE(extent_.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
    if (!WorldMemory().MapAt(*extent_, 0, address_, span_)) {
      WorldMemory().Release(*extent_);
      extent_.reset();
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CountBacked(card_, bytes_);
  }
  if (AllocationMap::Instance().Find(address())) return CUDA_SUCCESS;
  Allocation entry;
  entry.base = address();
  entry.bytes = bytes_;
  entry.origin = Origin::kGraph;
  entry.device = DeviceOf(card_);
  entry.card = card_;
  entry.owner = &graph_owner;
  AllocationMap::Instance().InsertIn(context, entry);
  return CUDA_SUCCESS;
}

bool GraphAllocation::live() const {
  const std::lock_guard lock(MemoryMutex());
  return self_ != nullptr;
}

void GraphAllocation::SetLive(bool live) {
  const std::shared_ptr<GraphAllocation> keep = shared_from_this();
  const std::lock_guard lock(MemoryMutex());
  self_ = live ? keep : nullptr;
}

void GraphAllocation::UseUntil(std::shared_ptr<Completion> end) {
  const std::lock_guard lock(MemoryMutex());
  used_until_ = std::move(end);
}

void GraphAllocation::Trim() {
  const std::lock_guard lock(MemoryMutex());
  if (!extent_ || self_ != nullptr) return;
  if (used_until_ != nullptr && !used_until_->Reached(world::NowNs())) return;
  AllocationMap::Instance().Take(address(), {Origin::kGraph});
  CountGivenBack(card_, bytes_);
  WorldMemory().Unmap(address_, span_);
  WorldMemory().Release(*extent_);
  extent_.reset();
}

GraphMemoryUse GraphMemoryUseOf(int card) {
  const std::lock_guard lock(MemoryMutex());
  return UseOf(card);
}

void ResetGraphMemoryUsedHigh(int card) {
  const std::lock_guard lock(MemoryMutex());
  UseOf(card).used_high = UseOf(card).used;
}

void ResetGraphMemoryReservedHigh(int card) {
  const std::lock_guard lock(MemoryMutex());
  UseOf(card).reserved_high = UseOf(card).reserved;
}

void TrimGraphMemory(int card) {
  std::vector<std::shared_ptr<GraphAllocation>> allocations;
  {
    const std::lock_guard lock(MemoryMutex());
    for (const auto& [address, weak] : All()) {
      if (auto allocation = weak.lock()) allocations.push_back(std::move(allocation));
    }
  }
  for (const auto& allocation : allocations) {
    if (allocation->card() == card) allocation->Trim();
  }
}

}  // namespace simgpu::cuda
