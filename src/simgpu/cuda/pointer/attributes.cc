#include "simgpu/cuda/pointer/attributes.h"

#include <cstring>
#include <optional>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/pool/memory_pool.h"
#include "simgpu/cuda/vmm/virtual_memory.h"

namespace simgpu::cuda {
namespace {

template <class Value>
CUresult Put(void* data, Value value) {
  std::memcpy(data, &value, sizeof(Value));
  return CUDA_SUCCESS;
}

CUresult PutBool(void* data, bool value) { return Put<int>(data, value ? 1 : 0); }

// What is known of an address: an allocation, or a reservation in which nothing is mapped there.
struct Known {
  CUdeviceptr pointer = 0;
  std::optional<Allocation> allocation;
  std::optional<AddressRange> reservation;

  bool has_context() const {
    return allocation->origin != Origin::kPool && allocation->origin != Origin::kPoolImport &&
           allocation->origin != Origin::kMapped && allocation->origin != Origin::kGraph;
  }
};

std::optional<Known> Look(CUdeviceptr pointer) {
  Known known;
  known.pointer = pointer;
  known.allocation = AllocationMap::Instance().Find(pointer);
  if (known.allocation.has_value() && known.allocation->origin == Origin::kArray) {
    return std::nullopt;
  }
  known.reservation = FindReservation(pointer);
  if (!known.allocation.has_value() && !known.reservation.has_value()) return std::nullopt;
  return known;
}

// The whole range that can be mapped: the reservation, for virtual memory.
AddressRange MappableRange(const Known& known) {
  if (known.reservation.has_value()) return *known.reservation;
  return {known.allocation->base, known.allocation->bytes};
}

unsigned AllowedHandleTypes(const Known& known) {
  const Allocation& allocation = *known.allocation;
  if (allocation.origin == Origin::kMapped) {
    const auto memory = FindMapped(known.pointer);
    return memory != nullptr ? memory->props().requestedHandleTypes : CU_MEM_HANDLE_TYPE_NONE;
  }
  if (allocation.origin != Origin::kPool) return CU_MEM_HANDLE_TYPE_NONE;
  return MemoryPool::Of(allocation).spec().props.handleTypes;
}

CUmemoryPool PoolOf(const Allocation& allocation) {
  if (allocation.origin != Origin::kPool) return nullptr;
  return MemoryPool::Of(allocation).handle();
}

// How kernels in the current context may reach it.
CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS AccessOf(const Known& known) {
  CUmemAccess_flags access = known.allocation->access;
  if (known.allocation->origin == Origin::kMapped) {
    Context* context = nullptr;
    if (CurrentContext(&context) != CUDA_SUCCESS ||
        GetAccess(known.pointer, context->device(), &access) != CUDA_SUCCESS) {
      return CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
    }
  }
  return static_cast<CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS>(access);
}

CUresult DevicePointer(const Known& known, void* data) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  return Put<CUdeviceptr>(data, known.pointer);
}

CUresult HostPointer(const Known& known, void* data) {
  const Allocation& allocation = *known.allocation;
  SIMGPU_REQUIRE(allocation.on_host() || allocation.origin == Origin::kManaged,
                 CUDA_ERROR_INVALID_VALUE);
  return Put(data, reinterpret_cast<void*>(known.pointer));
}

// The simulated card has no kernel interface to hand tokens to; they are unique and stable.
CUresult P2pTokens(const Known& known, void* data) {
  const Allocation& allocation = *known.allocation;
  SIMGPU_REQUIRE(allocation.origin == Origin::kDevice, CUDA_ERROR_INVALID_VALUE);
  AllocationMap::Instance().Update(known.pointer, [](Allocation& it) { it.sync_memops = true; });
  CUDA_POINTER_ATTRIBUTE_P2P_TOKENS tokens = {};
  tokens.p2pToken = allocation.buffer_id;
  tokens.vaSpaceToken = static_cast<unsigned>(allocation.card) + 1;
  return Put(data, tokens);
}

// Attributes of addresses as such; the others need an allocation.
bool IsOfRange(CUpointer_attribute attribute) {
  return attribute == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
         attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE || attribute == CU_POINTER_ATTRIBUTE_MAPPED;
}

CUresult ReadRange(CUpointer_attribute attribute, const Known& known, void* data) {
  const AddressRange range = MappableRange(known);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return Put<CUdeviceptr>(data, range.base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return Put<size_t>(data, range.bytes);
    default:
      return PutBool(data, known.allocation.has_value());
  }
}

CUresult ReadAllocation(CUpointer_attribute attribute, const Known& known, void* data) {
  const Allocation& allocation = *known.allocation;
  const bool device = !allocation.on_host();
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return Put(data, known.has_context() ? allocation.context : nullptr);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return Put<unsigned>(data, device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return DevicePointer(known, data);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return HostPointer(known, data);
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
      return P2pTokens(known, data);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return PutBool(data, allocation.sync_memops);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return Put<unsigned long long>(data, allocation.buffer_id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return PutBool(data, allocation.origin == Origin::kManaged);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return Put<int>(data, allocation.device);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return PutBool(data, allocation.origin == Origin::kDevice);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return Put<unsigned long long>(data, AllowedHandleTypes(known));
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return PutBool(data, false);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return Put<unsigned>(data, AccessOf(known));
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return Put(data, PoolOf(allocation));
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return Put<size_t>(data, allocation.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return Put<CUdeviceptr>(data, allocation.base);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

CUresult ReadPointerAttribute(CUpointer_attribute attribute, CUdeviceptr pointer, void* data) {
  const std::optional<Known> known = Look(pointer);
  SIMGPU_REQUIRE(known.has_value(), CUDA_ERROR_INVALID_VALUE);
  if (IsOfRange(attribute)) return ReadRange(attribute, *known, data);
  SIMGPU_REQUIRE(known->allocation.has_value(), CUDA_ERROR_INVALID_VALUE);
  return ReadAllocation(attribute, *known, data);
}

CUresult WriteNullAttribute(CUpointer_attribute attribute, void* data) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return Put<uint64_t>(data, 0);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return Put<int>(data, 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return Put<int>(data, CU_DEVICE_INVALID);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace simgpu::cuda
