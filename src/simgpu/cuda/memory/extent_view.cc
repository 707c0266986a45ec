#include "simgpu/cuda/memory/extent_view.h"

#include <sys/mman.h>

#include <memory>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

constexpr uint64_t kPage = 4096;

// The token of the allocation.
struct View {
  world::Extent extent;
  void* mapped = nullptr;  // whole pages around the allocation
  size_t length = 0;

  ~View() {
    if (mapped != nullptr) munmap(mapped, length);
    world::World::Instance().memory().Release(extent);
  }
};

class ViewOwner final : public AllocationOwner {
 public:
  void TakeBack(const Allocation& allocation) override {
    delete static_cast<View*>(allocation.token);
  }
};

ViewOwner view_owner;

// The request may come from another process: nothing in it is believed.
bool Map(const ViewRequest& request, View* view) {
  const uint64_t span = request.extent.span;
  if (request.bytes == 0 || request.offset > span || request.bytes > span - request.offset) {
    return false;
  }
  const uint64_t first = request.offset / kPage * kPage;
  const uint64_t last = (request.offset + request.bytes + kPage - 1) / kPage * kPage;
  view->length = last - first;
  const int low = request.place == ViewPlace::kFirst4GiB ? MAP_32BIT : 0;
  void* const at = mmap(nullptr, view->length, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | low, -1, 0);
  if (at == MAP_FAILED) return false;
  view->mapped = at;
  return world::World::Instance().memory().MapAt(view->extent, first, at, view->length);
}

}  // namespace

CUresult MapView(Context& context, const ViewRequest& request, CUdeviceptr* pointer) {
  auto view = std::make_unique<View>();
  view->extent = request.extent;
  SIMGPU_REQUIRE(Map(request, view.get()), CUDA_ERROR_MAP_FAILED);
  Allocation allocation;
  allocation.base = reinterpret_cast<uintptr_t>(view->mapped) + request.offset % kPage;
  allocation.bytes = request.bytes;
  allocation.origin = request.origin;
  allocation.card = request.extent.card;
  allocation.device = DeviceOf(allocation.card);
  allocation.owner = &view_owner;
  allocation.token = view.get();
  SIMGPU_REQUIRE(AllocationMap::Instance().InsertIn(context, allocation), CUDA_ERROR_MAP_FAILED);
  view.release();
  *pointer = allocation.base;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda
