#include "simgpu/cuda/launch/occupancy.h"

#include <algorithm>

#include "simgpu/cuda/device/attributes.h"

namespace simgpu::cuda {
namespace {

unsigned Attribute(const world::CardSpec& spec, CUdevice_attribute attribute) {
  return static_cast<unsigned>(DeviceAttribute(spec, attribute).value_or(0));
}

unsigned ReservedSharedBytes(const world::CardSpec& spec) {
  return Attribute(spec, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
}

}  // namespace

unsigned BlocksAtOnce(const world::CardSpec& spec, const BlockNeeds& needs) {
  const unsigned warp = Attribute(spec, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  const unsigned threads = std::max(warp, (needs.threads + warp - 1) / warp * warp);
  if (threads > Attribute(spec, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) return 0;
  const unsigned registers = threads * static_cast<unsigned>(std::max(needs.registers, 1));
  const size_t shared = needs.shared_bytes + ReservedSharedBytes(spec);
  const size_t by_shared =
      Attribute(spec, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / shared;
  return std::min(
      {Attribute(spec, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
       Attribute(spec, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / threads,
       Attribute(spec, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) / registers,
       static_cast<unsigned>(by_shared)});
}

size_t SharedBytesFor(const world::CardSpec& spec, unsigned blocks) {
  const size_t share =
      Attribute(spec, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / blocks;
  const size_t reserved = ReservedSharedBytes(spec);
  const size_t largest = Attribute(spec, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return share <= reserved ? 0 : std::min(share - reserved, largest);
}

unsigned LargestCluster(const world::CardSpec& spec, const FunctionAttributes& attributes) {
  if (spec.compute_major < 9) return 0;
  return attributes[CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] != 0 ? 16 : 8;
}

}  // namespace simgpu::cuda
