#include "simgpu/cuda/ipc/mem_handle.h"

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/memory/extent_view.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

// A context opens an allocation once; later opens give the same pointer.
struct OpenKey {
  uint64_t context_id;
  uint32_t card, block, generation;
  uint64_t offset;

  bool operator<(const OpenKey& other) const {
    return std::tie(context_id, card, block, generation, offset) <
           std::tie(other.context_id, other.card, other.block, other.generation, other.offset);
  }
};

struct OpenHandle {
  CUdeviceptr pointer = 0;
  uint64_t buffer_id = 0;  // differs once the context has ended and taken the mapping with it
  int users = 0;
};

struct OpenHandles {
  std::mutex mutex;
  std::map<OpenKey, OpenHandle> by_key;
};

OpenHandles& All() {
  static OpenHandles* const handles = new OpenHandles;
  return *handles;
}

bool IsStillOpen(const OpenHandle& open) {
  const auto allocation = AllocationMap::Instance().Find(open.pointer);
  return allocation.has_value() && allocation->buffer_id == open.buffer_id;
}

CUresult MapShared(Context& context, const MemHandle& handle, OpenHandle* open) {
  const auto extent = world::World::Instance().memory().Hold(handle.extent);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_INVALID_HANDLE);
  SIMGPU_TRY(MapView(
      context,
      {.extent = *extent, .offset = handle.offset, .bytes = handle.bytes, .origin = Origin::kIpc},
      &open->pointer));
  open->buffer_id = AllocationMap::Instance().Find(open->pointer)->buffer_id;
  return CUDA_SUCCESS;
}

}  // namespace

CUresult MakeMemHandle(CUdeviceptr pointer, MemHandle* handle) {
  const auto allocation = AllocationMap::Instance().Find(pointer);
  SIMGPU_REQUIRE(allocation.has_value() && allocation->origin == Origin::kDevice,
                 CUDA_ERROR_INVALID_VALUE);
  world::World& world = world::World::Instance();
  const auto memory = world.memory().Find(reinterpret_cast<void*>(allocation->base));
  SIMGPU_REQUIRE(memory.has_value(), CUDA_ERROR_INVALID_VALUE);
  handle->extent = world.memory().NameOf(memory->extent);
  handle->offset = memory->offset;
  handle->bytes = allocation->bytes;
  handle->owner_slot = world.self().slot;
  handle->owner_generation = world.self().generation;
  return CUDA_SUCCESS;
}

CUresult OpenMemHandle(Context& context, const MemHandle& handle, CUdeviceptr* pointer) {
  SIMGPU_REQUIRE(handle.magic == MemHandle::kMagic, CUDA_ERROR_INVALID_HANDLE);
  const world::ProcessKey self = world::World::Instance().self();
  SIMGPU_REQUIRE(handle.owner_slot != self.slot || handle.owner_generation != self.generation,
                 CUDA_ERROR_INVALID_CONTEXT);
  const OpenKey key = {context.id(), handle.extent.card, handle.extent.block,
                       handle.extent.generation, handle.offset};
  const std::lock_guard lock(All().mutex);
  const auto found = All().by_key.find(key);
  if (found != All().by_key.end() && IsStillOpen(found->second)) {
    found->second.users++;
    *pointer = found->second.pointer;
    return CUDA_SUCCESS;
  }
  OpenHandle open;
  SIMGPU_TRY(MapShared(context, handle, &open));
  open.users = 1;
  All().by_key[key] = open;
  *pointer = open.pointer;
  return CUDA_SUCCESS;
}

CUresult CloseMemHandle(CUdeviceptr pointer) {
  std::optional<Allocation> closed;
  {
    const std::lock_guard lock(All().mutex);
    auto it = All().by_key.begin();
    while (it != All().by_key.end() && it->second.pointer != pointer) ++it;
    SIMGPU_REQUIRE(it != All().by_key.end() && IsStillOpen(it->second), CUDA_ERROR_INVALID_VALUE);
    if (--it->second.users > 0) return CUDA_SUCCESS;
    All().by_key.erase(it);
    closed = AllocationMap::Instance().Take(pointer, {Origin::kIpc});
  }
  SIMGPU_REQUIRE(closed.has_value(), CUDA_ERROR_INVALID_VALUE);
  if (Context* const context = Context::From(closed->context)) context->Synchronize();
  GiveBack(*closed);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda
