// Pools shared between processes: the pool by a file descriptor that carries its name, each
// allocation by 64 bytes that name its extent.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/memory/extent_view.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/pool/pools.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

constexpr uint64_t kPoolMagic = 0x6c6f6f702e6d6973;     // "sim.pool"
constexpr uint64_t kPointerMagic = 0x7274702e706d6973;  // "simp.ptr"

// What the descriptor of a pool holds.
struct PoolName {
  uint64_t magic = kPoolMagic;
  uint64_t world_id = 0;
  uint64_t pool_id = 0;
  int32_t card = 0;
  uint32_t handle_types = 0;
  uint64_t max_size = 0;
};

struct PointerName {
  uint64_t magic = kPointerMagic;
  uint64_t pool_id = 0;
  world::ExtentName extent;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};
static_assert(sizeof(PointerName) <= sizeof(CUmemPoolPtrExportData));

bool IsShareable(const MemoryPool& pool) {
  return pool.spec().props.handleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
}

CUresult Export(const MemoryPool& pool, int* descriptor) {
  PoolName name;
  name.world_id = world::World::Instance().id();
  name.pool_id = pool.spec().id;
  name.card = pool.spec().card;
  name.handle_types = pool.spec().props.handleTypes;
  name.max_size = pool.spec().props.maxSize;
  const int fd = memfd_create("simgpu-pool", MFD_CLOEXEC);
  SIMGPU_REQUIRE(fd >= 0, CUDA_ERROR_OPERATING_SYSTEM);
  if (pwrite(fd, &name, sizeof(name), 0) != sizeof(name)) {
    close(fd);
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  *descriptor = fd;
  return CUDA_SUCCESS;
}

CUresult Import(int descriptor, PoolSpec* spec) {
  PoolName name;
  const ssize_t got = pread(descriptor, &name, sizeof(name), 0);
  SIMGPU_REQUIRE(got == sizeof(name) && name.magic == kPoolMagic, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(name.world_id == world::World::Instance().id(), CUDA_ERROR_INVALID_VALUE);
  const CUdevice device = DeviceOf(name.card);
  SIMGPU_REQUIRE(device != CU_DEVICE_INVALID, CUDA_ERROR_INVALID_DEVICE);
  spec->props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  spec->props.handleTypes = static_cast<CUmemAllocationHandleType>(name.handle_types);
  spec->props.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  spec->props.maxSize = name.max_size;
  spec->card = name.card;
  spec->id = name.pool_id;
  spec->imported = true;
  return CUDA_SUCCESS;
}

CUresult CheckHandleType(CUmemAllocationHandleType type, unsigned long long flags) {
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(type != CU_MEM_HANDLE_TYPE_FABRIC, CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE(type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool,
                                                        CUmemAllocationHandleType handle_type,
                                                        unsigned long long flags) {
  SIMGPU_TRY(Ready());
  const MemoryPool* const found = MemoryPool::From(pool);
  SIMGPU_REQUIRE(handle != nullptr && found != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckHandleType(handle_type, flags));
  SIMGPU_REQUIRE(IsShareable(*found) && !found->spec().imported, CUDA_ERROR_INVALID_VALUE);
  return Export(*found, static_cast<int*>(handle));
}

// The descriptor comes by value, in place of the pointer.
SIMGPU_EXPORT CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle,
                                                          CUmemAllocationHandleType handle_type,
                                                          unsigned long long flags) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(pool != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckHandleType(handle_type, flags));
  PoolSpec spec;
  SIMGPU_TRY(Import(static_cast<int>(reinterpret_cast<intptr_t>(handle)), &spec));
  *pool = MakePool(spec)->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(data != nullptr, CUDA_ERROR_INVALID_VALUE);
  const auto allocation = AllocationMap::Instance().Find(pointer);
  SIMGPU_REQUIRE(allocation.has_value() && allocation->origin == Origin::kPool,
                 CUDA_ERROR_INVALID_VALUE);
  const MemoryPool& pool = MemoryPool::Of(*allocation);
  SIMGPU_REQUIRE(IsShareable(pool), CUDA_ERROR_INVALID_VALUE);
  PointerName name;
  name.pool_id = pool.spec().id;
  const simgpu::world::Extent extent = pool.ExtentOf(*allocation, &name.offset);
  name.extent = simgpu::world::World::Instance().memory().NameOf(extent);
  name.bytes = allocation->bytes;
  *data = {};
  std::memcpy(data->reserved, &name, sizeof(name));
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool,
                                              CUmemPoolPtrExportData* data) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  const MemoryPool* const found = MemoryPool::From(pool);
  SIMGPU_REQUIRE(pointer != nullptr && data != nullptr && found != nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  PointerName name;
  std::memcpy(&name, data->reserved, sizeof(name));
  SIMGPU_REQUIRE(
      found->spec().imported && name.magic == kPointerMagic && name.pool_id == found->spec().id,
      CUDA_ERROR_INVALID_VALUE);
  const auto extent = simgpu::world::World::Instance().memory().Hold(name.extent);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_INVALID_VALUE);
  return MapView(*context,
                 {.extent = *extent,
                  .offset = name.offset,
                  .bytes = name.bytes,
                  .origin = Origin::kPoolImport},
                 pointer);
}
