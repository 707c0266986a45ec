#include "simgpu/cuda/copy/plan.h"

#include <algorithm>

#include "simgpu/cuda/array/array.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/memory/range.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {
namespace {

constexpr size_t kMaxPitch = 0x7fffffff;  // CU_DEVICE_ATTRIBUTE_MAX_PITCH

// One side of a CUDA_MEMCPY3D.
struct Side {
  CUmemorytype type;
  uintptr_t address;  // of memory that is not an array
  CUarray array;
  size_t x, y, z, lod;
  size_t pitch, height;
};

Side SourceOf(const CUDA_MEMCPY3D& copy) {
  const uintptr_t address = copy.srcMemoryType == CU_MEMORYTYPE_HOST
                                ? reinterpret_cast<uintptr_t>(copy.srcHost)
                                : copy.srcDevice;
  return {copy.srcMemoryType, address,     copy.srcArray, copy.srcXInBytes, copy.srcY,
          copy.srcZ,          copy.srcLOD, copy.srcPitch, copy.srcHeight};
}

Side TargetOf(const CUDA_MEMCPY3D& copy) {
  const uintptr_t address = copy.dstMemoryType == CU_MEMORYTYPE_HOST
                                ? reinterpret_cast<uintptr_t>(copy.dstHost)
                                : copy.dstDevice;
  return {copy.dstMemoryType, address,     copy.dstArray, copy.dstXInBytes, copy.dstY,
          copy.dstZ,          copy.dstLOD, copy.dstPitch, copy.dstHeight};
}

bool Fits(size_t start, size_t count, size_t limit) {
  return start <= limit && count <= limit - start;
}

CUresult ResolveArray(const Side& side, const BoxExtent& extent, Endpoint* endpoint) {
  const Array* const array = Array::From(side.array);
  SIMGPU_REQUIRE(array != nullptr, CUDA_ERROR_INVALID_HANDLE);
  const ArrayLayout& layout = array->layout();
  SIMGPU_REQUIRE(array->data() != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(side.x % layout.element_bytes == 0 && extent.width % layout.element_bytes == 0,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(Fits(side.x, extent.width, layout.row_bytes) &&
                     Fits(side.y, extent.height, layout.rows) &&
                     Fits(side.z, extent.depth, layout.slices),
                 CUDA_ERROR_INVALID_VALUE);
  endpoint->view = array->view();
  endpoint->view.at +=
      side.z * endpoint->view.slice_pitch + side.y * endpoint->view.row_pitch + side.x;
  endpoint->place = Place::kDevice;
  endpoint->card = array->card();
  return CUDA_SUCCESS;
}

// Where the box lies in pitched memory; pitches left out mean packed rows and slices.
CUresult Place3D(const Side& side, const BoxExtent& extent, BoxView* view) {
  SIMGPU_REQUIRE(side.address != 0, CUDA_ERROR_INVALID_VALUE);
  size_t width = 0;
  size_t height = 0;
  SIMGPU_REQUIRE(!__builtin_add_overflow(side.x, extent.width, &width) &&
                     !__builtin_add_overflow(side.y, extent.height, &height),
                 CUDA_ERROR_INVALID_VALUE);
  const bool has_rows = extent.height > 1 || extent.depth > 1 || side.y != 0 || side.z != 0;
  view->row_pitch = side.pitch != 0 ? side.pitch : width;
  SIMGPU_REQUIRE(view->row_pitch >= width, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!has_rows || view->row_pitch <= kMaxPitch, CUDA_ERROR_INVALID_VALUE);
  const size_t rows = side.height != 0 ? side.height : height;
  const bool has_slices = extent.depth > 1 || side.z != 0;
  SIMGPU_REQUIRE(!has_slices || rows >= height, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!__builtin_mul_overflow(view->row_pitch, rows, &view->slice_pitch),
                 CUDA_ERROR_INVALID_VALUE);
  size_t offset = 0;
  SIMGPU_REQUIRE(OffsetIn(*view, side.x, side.y, side.z, &offset), CUDA_ERROR_INVALID_VALUE);
  view->at = reinterpret_cast<std::byte*>(side.address) + offset;
  return CUDA_SUCCESS;
}

CUresult ResolveMemory(const Side& side, const BoxExtent& extent, Touch touch, Endpoint* endpoint) {
  SIMGPU_TRY(Place3D(side, extent, &endpoint->view));
  size_t span = 0;
  SIMGPU_REQUIRE(SpanOf(endpoint->view, extent, &span), CUDA_ERROR_INVALID_VALUE);
  const auto address = reinterpret_cast<uintptr_t>(endpoint->view.at);
  // Host memory the driver has not seen is taken on trust, as on a real card.
  if (side.type != CU_MEMORYTYPE_DEVICE && !AllocationMap::Instance().Find(address).has_value()) {
    return CUDA_SUCCESS;
  }
  Allocation allocation;
  const CUresult result = CheckRange(address, span, touch, &allocation);
  if (result != CUDA_SUCCESS) {
    // A host buffer may begin in registered memory and go on behind it.
    const auto found = AllocationMap::Instance().Find(address);
    const bool host = side.type == CU_MEMORYTYPE_HOST && found.has_value() && found->on_host();
    return host ? CUDA_SUCCESS : result;
  }
  endpoint->place = allocation.on_host() ? Place::kPinned : Place::kDevice;
  endpoint->card = allocation.card;
  endpoint->sync_memops = allocation.sync_memops;
  return CUDA_SUCCESS;
}

CUresult Resolve(const Side& side, const BoxExtent& extent, Touch touch, Endpoint* endpoint) {
  SIMGPU_REQUIRE(side.lod == 0, CUDA_ERROR_INVALID_VALUE);
  switch (side.type) {
    case CU_MEMORYTYPE_ARRAY:
      return ResolveArray(side, extent, endpoint);
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return ResolveMemory(side, extent, touch, endpoint);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CopyRoute RouteOf(const CopyPlan& plan) {
  if (plan.from.place != Place::kDevice) return CopyRoute::kHostToDevice;
  if (plan.to.place != Place::kDevice) return CopyRoute::kDeviceToHost;
  return plan.from.card == plan.to.card ? CopyRoute::kDeviceToDevice : CopyRoute::kPeer;
}

}  // namespace

CUresult PlanCopy(const CUDA_MEMCPY3D& copy, CopyPlan* plan) {
  *plan = {};
  plan->extent = {.width = copy.WidthInBytes, .height = copy.Height, .depth = copy.Depth};
  if (plan->empty()) return CUDA_SUCCESS;
  SIMGPU_TRY(Resolve(TargetOf(copy), plan->extent, Touch::kWrite, &plan->to));
  return Resolve(SourceOf(copy), plan->extent, Touch::kRead, &plan->from);
}

CUresult CommitTarget(const CopyPlan& plan) {
  if (plan.empty() || plan.to.place != Place::kDevice) return CUDA_SUCCESS;
  size_t span = 0;
  SIMGPU_REQUIRE(SpanOf(plan.to.view, plan.extent, &span), CUDA_ERROR_INVALID_VALUE);
  const bool committed = world::Memory::Populate(plan.to.view.at, span);
  return committed ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

Op OpOf(const CopyPlan& plan) {
  auto effect = [to = plan.to.view, from = plan.from.view, extent = plan.extent] {
    CopyBox(to, from, extent);
  };
  // Between two places of the host, no engine of the card is busy.
  if (plan.to.place != Place::kDevice && plan.from.place != Place::kDevice) {
    return Op::Effect(effect);
  }
  return Op::Copy(RouteOf(plan), plan.extent.bytes(), effect);
}

CUDA_MEMCPY3D LinearCopy(CUmemorytype to_type, CUdeviceptr to, CUmemorytype from_type,
                         CUdeviceptr from, size_t bytes) {
  CUDA_MEMCPY3D copy = {};
  copy.dstMemoryType = to_type;
  copy.dstHost = reinterpret_cast<void*>(to);
  copy.dstDevice = to;
  copy.srcMemoryType = from_type;
  copy.srcHost = reinterpret_cast<const void*>(from);
  copy.srcDevice = from;
  copy.WidthInBytes = bytes;
  copy.Height = 1;
  copy.Depth = 1;
  return copy;
}

}  // namespace simgpu::cuda
