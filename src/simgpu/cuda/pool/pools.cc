#include "simgpu/cuda/pool/pools.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/pool/release.h"

namespace simgpu::cuda {
namespace {

struct CardPools {
  MemoryPool* standard = nullptr;
  MemoryPool* current = nullptr;
};

struct Pools {
  std::mutex mutex;
  std::map<CUdevice, CardPools> cards;
  std::map<MemoryPool*, std::shared_ptr<MemoryPool>> all;
};

Pools& All() {
  static Pools* const pools = new Pools;  // outlives the executor's threads
  return *pools;
}

std::atomic<bool> excess{false};

CUresult PoolsOf(CUdevice device, CardPools** of_card) {
  SIMGPU_TRY(Ready());
  int card = -1;
  SIMGPU_TRY(CardOf(device, &card));
  CardPools& found = All().cards[device];
  if (found.standard == nullptr) {
    PoolSpec spec;
    spec.props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    spec.props.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    spec.card = card;
    auto pool = std::make_shared<MemoryPool>(spec);
    found.standard = found.current = pool.get();
    All().all.emplace(pool.get(), pool);
  }
  *of_card = &found;
  return CUDA_SUCCESS;
}

std::vector<std::shared_ptr<MemoryPool>> LivePools() {
  std::vector<std::shared_ptr<MemoryPool>> pools;
  const std::lock_guard lock(All().mutex);
  for (const auto& [pool, shared] : All().all) pools.push_back(shared);
  return pools;
}

}  // namespace

uint64_t NewPoolId() {
  static std::atomic<uint32_t> next{1};
  return uint64_t{static_cast<uint32_t>(getpid())} << 32 | next.fetch_add(1);
}

std::shared_ptr<MemoryPool> MakePool(const PoolSpec& spec) {
  auto pool = std::make_shared<MemoryPool>(spec);
  const std::lock_guard lock(All().mutex);
  All().all.emplace(pool.get(), pool);
  return pool;
}

CUresult DefaultPool(CUdevice device, MemoryPool** pool) {
  const std::lock_guard lock(All().mutex);
  CardPools* pools = nullptr;
  SIMGPU_TRY(PoolsOf(device, &pools));
  *pool = pools->standard;
  return CUDA_SUCCESS;
}

CUresult CurrentPool(CUdevice device, MemoryPool** pool) {
  const std::lock_guard lock(All().mutex);
  CardPools* pools = nullptr;
  SIMGPU_TRY(PoolsOf(device, &pools));
  *pool = pools->current;
  return CUDA_SUCCESS;
}

CUresult SetCurrentPool(CUdevice device, MemoryPool* pool) {
  const std::lock_guard lock(All().mutex);
  CardPools* pools = nullptr;
  SIMGPU_TRY(PoolsOf(device, &pools));
  SIMGPU_REQUIRE(pool->spec().props.location.id == device && !pool->spec().imported,
                 CUDA_ERROR_INVALID_VALUE);
  pools->current = pool;
  return CUDA_SUCCESS;
}

CUresult DestroyPool(MemoryPool* pool) {
  std::shared_ptr<MemoryPool> keep;
  {
    const std::lock_guard lock(All().mutex);
    for (auto& [device, pools] : All().cards) {
      SIMGPU_REQUIRE(pools.standard != pool, CUDA_ERROR_INVALID_VALUE);
      if (pools.current == pool) pools.current = pools.standard;
    }
    const auto found = All().all.find(pool);
    SIMGPU_REQUIRE(found != All().all.end(), CUDA_ERROR_INVALID_VALUE);
    keep = found->second;
  }
  keep->Destroy();
  return CUDA_SUCCESS;
}

void ForgetPool(MemoryPool* pool) {
  std::shared_ptr<MemoryPool> last;  // dies without the lock, if nothing else holds it
  const std::lock_guard lock(All().mutex);
  const auto found = All().all.find(pool);
  if (found == All().all.end()) return;
  last = std::move(found->second);
  All().all.erase(found);
}

bool AnyPoolWaits(int card) {
  const auto pools = LivePools();
  return std::any_of(pools.begin(), pools.end(), [card](const auto& pool) {
    return pool->spec().card == card && pool->waits();
  });
}

void NotePoolExcess() { excess.store(true, std::memory_order_relaxed); }

void ReleasePoolExcess() {
  if (!excess.load(std::memory_order_relaxed) || !excess.exchange(false)) return;
  for (const auto& pool : LivePools()) pool->ReleaseExcess();
}

void TrimPoolsOf(int card) {
  for (const auto& pool : LivePools()) {
    if (pool->spec().card == card) pool->TrimTo(0);
  }
}

}  // namespace simgpu::cuda
