#include <algorithm>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/launch/occupancy.h"
#include "simgpu/cuda/module/module.h"

using simgpu::cuda::BlocksAtOnce;
using simgpu::cuda::Function;
using simgpu::cuda::LargestCluster;
using simgpu::cuda::ResolveFunction;
using simgpu::cuda::SpecOf;
using simgpu::world::CardSpec;

namespace {

constexpr unsigned kKnownFlags = CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE;

struct Asked {
  Function* function = nullptr;
  const CardSpec* spec = nullptr;

  unsigned BlocksOf(int threads, size_t shared_bytes) const {
    return BlocksAtOnce({.threads = static_cast<unsigned>(threads),
                         .shared_bytes = shared_bytes,
                         .registers = function->attributes()[CU_FUNC_ATTRIBUTE_NUM_REGS]});
  }
};

CUresult Find(CUfunction handle, Asked* asked) {
  SIMGPU_TRY(ResolveFunction(handle, &asked->function));
  asked->spec = &SpecOf(asked->function->module().context().card());
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* num_blocks, CUfunction func,
                                                              int block_size,
                                                              size_t dynamic_smem_size,
                                                              unsigned flags) {
  Asked asked;
  SIMGPU_TRY(Find(func, &asked));
  SIMGPU_REQUIRE(num_blocks != nullptr && block_size > 0 && (flags & ~kKnownFlags) == 0,
                 CUDA_ERROR_INVALID_VALUE);
  *num_blocks = static_cast<int>(asked.BlocksOf(block_size, dynamic_smem_size));
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* num_blocks, CUfunction func,
                                                     int block_size, size_t dynamic_smem_size) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(num_blocks, func, block_size,
                                                              dynamic_smem_size, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_smem_size, CUfunction func,
                                                 int num_blocks, int block_size) {
  Asked asked;
  SIMGPU_TRY(Find(func, &asked));
  SIMGPU_REQUIRE(dynamic_smem_size != nullptr && num_blocks > 0 && block_size > 0,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(static_cast<unsigned>(num_blocks) <= asked.BlocksOf(block_size, 0),
                 CUDA_ERROR_INVALID_VALUE);
  *dynamic_smem_size = simgpu::cuda::SharedBytesFor(static_cast<unsigned>(num_blocks));
  return CUDA_SUCCESS;
}

// The largest block with which most threads run at once.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int* min_grid_size, int* block_size, CUfunction func,
    CUoccupancyB2DSize block_size_to_dynamic_smem_size, size_t dynamic_smem_size,
    int block_size_limit, unsigned flags) {
  Asked asked;
  SIMGPU_TRY(Find(func, &asked));
  SIMGPU_REQUIRE(min_grid_size != nullptr && block_size != nullptr && block_size_limit >= 0 &&
                     (flags & ~kKnownFlags) == 0,
                 CUDA_ERROR_INVALID_VALUE);
  const int largest = asked.function->attributes()[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
  const int limit = block_size_limit == 0 ? largest : std::min(largest, block_size_limit);
  int best_threads = 0;
  for (int threads = (limit + 31) / 32 * 32; threads > 0; threads -= 32) {
    const int size = std::min(threads, limit);
    const size_t shared = block_size_to_dynamic_smem_size == nullptr
                              ? dynamic_smem_size
                              : block_size_to_dynamic_smem_size(size);
    const int blocks = static_cast<int>(asked.BlocksOf(size, shared));
    if (blocks * size <= best_threads) continue;
    best_threads = blocks * size;
    *block_size = size;
    *min_grid_size = blocks * static_cast<int>(asked.spec->sm_count);
  }
  return best_threads > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, CUfunction func,
                                          CUoccupancyB2DSize block_size_to_dynamic_smem_size,
                                          size_t dynamic_smem_size, int block_size_limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, func,
                                                   block_size_to_dynamic_smem_size,
                                                   dynamic_smem_size, block_size_limit, 0);
}

CUresult cuOccupancyMaxPotentialClusterSize(int* cluster_size, CUfunction func,
                                            const CUlaunchConfig* config) {
  Asked asked;
  SIMGPU_TRY(Find(func, &asked));
  SIMGPU_REQUIRE(cluster_size != nullptr && config != nullptr, CUDA_ERROR_INVALID_VALUE);
  const unsigned largest = LargestCluster(*asked.spec, asked.function->attributes());
  SIMGPU_REQUIRE(largest > 0, CUDA_ERROR_NOT_SUPPORTED);
  *cluster_size = static_cast<int>(largest);
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveClusters(int* num_clusters, CUfunction func,
                                      const CUlaunchConfig* config) {
  Asked asked;
  SIMGPU_TRY(Find(func, &asked));
  SIMGPU_REQUIRE(num_clusters != nullptr && config != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(LargestCluster(*asked.spec, asked.function->attributes()) > 0,
                 CUDA_ERROR_NOT_SUPPORTED);
  const unsigned threads = config->blockDimX * config->blockDimY * config->blockDimZ;
  unsigned cluster = 1;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const auto& size = config->attrs[i].value.clusterDim;
    cluster = std::max(1u, size.x * size.y * size.z);
  }
  const unsigned blocks = asked.BlocksOf(static_cast<int>(threads), config->sharedMemBytes);
  *num_clusters = static_cast<int>(blocks * asked.spec->sm_count / cluster);
  return CUDA_SUCCESS;
}
