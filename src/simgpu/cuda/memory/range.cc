#include "simgpu/cuda/memory/range.h"

#include "simgpu/cuda/memory/allocation_map.h"

namespace simgpu::cuda {
namespace {

bool Allows(const Allocation& allocation, Touch touch) {
  if (allocation.origin == Origin::kArray) return false;
  const CUmemAccess_flags needed =
      touch == Touch::kWrite ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_READ;
  return (allocation.access & needed) == needed;
}

}  // namespace

CUresult CheckRange(uintptr_t address, size_t bytes, Touch touch, Allocation* first) {
  AllocationMap& map = AllocationMap::Instance();
  auto part = map.Find(address);
  SIMGPU_REQUIRE(part.has_value() && Allows(*part, touch), CUDA_ERROR_INVALID_VALUE);
  *first = *part;
  while (bytes > part->end() - address) {
    bytes -= part->end() - address;
    address = part->end();
    SIMGPU_REQUIRE(part->origin == Origin::kMapped, CUDA_ERROR_INVALID_VALUE);
    part = map.Find(address);
    SIMGPU_REQUIRE(part.has_value() && part->origin == Origin::kMapped && Allows(*part, touch),
                   CUDA_ERROR_INVALID_VALUE);
  }
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda
