#include "simgpu/cuda/launch/occupancy.h"

#include <algorithm>

#include "simgpu/cuda/device/fixed_attributes.h"

namespace simgpu::cuda {
namespace {

constexpr auto kReservedSharedBytes =
    kFixedAttribute<CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK>;

}  // namespace

unsigned BlocksAtOnce(const BlockNeeds& needs) {
  const unsigned warp = kFixedAttribute<CU_DEVICE_ATTRIBUTE_WARP_SIZE>;
  const unsigned threads = std::max(warp, (needs.threads + warp - 1) / warp * warp);
  if (threads > kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK>) return 0;
  const unsigned registers = threads * static_cast<unsigned>(std::max(needs.registers, 1));
  const size_t shared = needs.shared_bytes + kReservedSharedBytes;
  const size_t by_shared =
      kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR> / shared;
  return std::min(
      {kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR>,
       kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR> / threads,
       kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR> / registers,
       static_cast<unsigned>(by_shared)});
}

size_t SharedBytesFor(unsigned blocks) {
  const size_t share =
      kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR> / blocks;
  const size_t reserved = kReservedSharedBytes;
  const size_t largest = kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN>;
  return share <= reserved ? 0 : std::min(share - reserved, largest);
}

unsigned LargestCluster(const world::CardSpec& spec, const FunctionAttributes& attributes) {
  if (spec.compute_major < 9) return 0;
  return attributes[CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] != 0 ? 16 : 8;
}

}  // namespace simgpu::cuda
