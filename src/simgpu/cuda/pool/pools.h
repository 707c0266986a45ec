// The pools of this process: each card's default pool, the pool its allocations come from at
// present, and those the program created or imported.
#pragma once

#include <memory>

#include "simgpu/cuda/pool/memory_pool.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

std::shared_ptr<MemoryPool> MakePool(const PoolSpec& spec);

// An id no other pool of the world has.
uint64_t NewPoolId();

CUresult DefaultPool(CUdevice device, MemoryPool** pool);
CUresult CurrentPool(CUdevice device, MemoryPool** pool);

// CUDA_ERROR_INVALID_VALUE for a pool of another card or an imported one.
CUresult SetCurrentPool(CUdevice device, MemoryPool* pool);

// CUDA_ERROR_INVALID_VALUE for a default pool. A current pool is replaced by the default one.
CUresult DestroyPool(MemoryPool* pool);

// Of a card, destroyed ones included.
bool AnyPoolWaits(int card);

// A destroyed pool holds no memory any more.
void ForgetPool(MemoryPool* pool);

}  // namespace simgpu::cuda
