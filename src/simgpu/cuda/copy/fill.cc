#include "simgpu/cuda/copy/fill.h"

#include <sys/mman.h>

#include "simgpu/cuda/memory/range.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {
namespace {

constexpr uintptr_t kPage = 4096;
constexpr size_t kLargeFill = size_t{1} << 20;

bool IsOneRun(const FillPlan& plan) {
  return plan.extent.height == 1 || plan.to.view.row_pitch == plan.extent.width;
}

// A large run of zeros on a card is made by giving its pages back: a program that clears all of
// the card's memory must not make the host commit all of it.
bool GivesPagesBack(const FillPlan& plan) {
  return plan.value == 0 && plan.to.place == Place::kDevice && IsOneRun(plan) &&
         plan.extent.bytes() >= kLargeFill;
}

void Clear(std::byte* at, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(at);
  const uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  const uintptr_t last = (begin + bytes) / kPage * kPage;
  if (madvise(reinterpret_cast<void*>(first), last - first, MADV_REMOVE) != 0) {
    FillBox({at, 0, 0}, {.width = bytes}, 0, 1);
    return;
  }
  FillBox({at, 0, 0}, {.width = first - begin}, 0, 1);
  FillBox({at + (last - begin), 0, 0}, {.width = begin + bytes - last}, 0, 1);
}

}  // namespace

CUresult PlanFill(const CUDA_MEMSET_NODE_PARAMS_v2& fill, FillPlan* plan) {
  *plan = {};
  const unsigned element = fill.elementSize;
  SIMGPU_REQUIRE(element == 1 || element == 2 || element == 4, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(fill.dst % element == 0, CUDA_ERROR_INVALID_VALUE);
  size_t width = 0;
  SIMGPU_REQUIRE(!__builtin_mul_overflow(fill.width, size_t{element}, &width),
                 CUDA_ERROR_INVALID_VALUE);
  plan->extent = {.width = width, .height = fill.height};
  plan->value = fill.value;
  plan->element_bytes = element;
  if (plan->extent.empty()) return CUDA_SUCCESS;
  if (fill.height > 1) {
    SIMGPU_REQUIRE(fill.pitch >= width && fill.pitch % element == 0, CUDA_ERROR_INVALID_VALUE);
    plan->to.view.row_pitch = fill.pitch;
  }
  plan->to.view.at = reinterpret_cast<std::byte*>(fill.dst);
  size_t span = 0;
  SIMGPU_REQUIRE(SpanOf(plan->to.view, plan->extent, &span), CUDA_ERROR_INVALID_VALUE);
  Allocation allocation;
  SIMGPU_TRY(CheckRange(fill.dst, span, Touch::kWrite, &allocation));
  plan->to.place = allocation.on_host() ? Place::kPinned : Place::kDevice;
  plan->to.card = allocation.card;
  plan->to.sync_memops = allocation.sync_memops;
  return CUDA_SUCCESS;
}

CUresult CommitTarget(const FillPlan& plan) {
  if (plan.to.place != Place::kDevice || GivesPagesBack(plan)) return CUDA_SUCCESS;
  size_t span = 0;
  SIMGPU_REQUIRE(SpanOf(plan.to.view, plan.extent, &span), CUDA_ERROR_INVALID_VALUE);
  const bool committed = world::Memory::Populate(plan.to.view.at, span);
  return committed ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

Op OpOf(const FillPlan& plan) {
  return Op::Copy(CopyRoute::kDeviceToDevice, plan.extent.bytes(), [plan] {
    if (GivesPagesBack(plan)) {
      Clear(plan.to.view.at, plan.extent.bytes());
    } else {
      FillBox(plan.to.view, plan.extent, plan.value, plan.element_bytes);
    }
  });
}

}  // namespace simgpu::cuda
