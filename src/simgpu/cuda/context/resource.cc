#include "simgpu/cuda/context/resource.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/device/visible.h"

namespace simgpu::cuda {
namespace {

// In the part of a resource that is the driver's own.
struct Mark {
  uint64_t magic = 0;
  int card = 0;
};
constexpr uint64_t kMagic = 0x6563727573657273;  // "sresurce"

// Compute capability 9 hands out multiprocessors in groups of 8.
unsigned Alignment(int card) { return SpecOf(card).compute_major >= 9 ? 8 : 2; }
unsigned SmallestPartition(int card) { return SpecOf(card).compute_major >= 9 ? 8 : 4; }

unsigned RoundUp(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

// No function gives a descriptor back, so equal shares have one, for good.
const ResourceDescriptor& DescriptorOf(int card, unsigned sm_count) {
  static std::mutex mutex;
  static auto* const made =
      new std::map<std::pair<int, unsigned>, std::unique_ptr<ResourceDescriptor>>;
  const std::lock_guard lock(mutex);
  auto& descriptor = (*made)[{card, sm_count}];
  if (descriptor == nullptr) descriptor = std::make_unique<ResourceDescriptor>(card, sm_count);
  return *descriptor;
}

}  // namespace

CUdevResource SmResource(int card, unsigned sm_count) {
  CUdevResource resource{};
  resource.type = CU_DEV_RESOURCE_TYPE_SM;
  resource.sm = {sm_count, SmallestPartition(card), Alignment(card)};
  const Mark mark = {kMagic, card};
  std::memcpy(resource._internal_padding, &mark, sizeof(mark));
  return resource;
}

CUresult CardOfResource(const CUdevResource& resource, int* card) {
  Mark mark;
  std::memcpy(&mark, resource._internal_padding, sizeof(mark));
  SIMGPU_REQUIRE(resource.type == CU_DEV_RESOURCE_TYPE_SM && mark.magic == kMagic,
                 CUDA_ERROR_INVALID_RESOURCE_TYPE);
  *card = mark.card;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

using simgpu::cuda::CardOf;
using simgpu::cuda::CardOfResource;
using simgpu::cuda::Ready;
using simgpu::cuda::SmResource;
using simgpu::cuda::SpecOf;

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(resource != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(type == CU_DEV_RESOURCE_TYPE_SM, CUDA_ERROR_INVALID_RESOURCE_TYPE);
  *resource = SmResource(card, SpecOf(card).sm_count);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevResource(CUcontext ctx, CUdevResource* resource, CUdevResourceType type) {
  simgpu::cuda::Context* context = nullptr;
  SIMGPU_TRY(simgpu::cuda::NamedOrCurrentContext(ctx, &context));
  SIMGPU_REQUIRE(resource != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(type == CU_DEV_RESOURCE_TYPE_SM, CUDA_ERROR_INVALID_RESOURCE_TYPE);
  *resource = SmResource(context->card(), context->sm_count());
  return CUDA_SUCCESS;
}

CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned* nb_groups,
                                     const CUdevResource* input, CUdevResource* remaining,
                                     unsigned use_flags, unsigned min_count) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(nb_groups != nullptr && input != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(use_flags <= (CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING |
                               CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE),
                 CUDA_ERROR_INVALID_VALUE);
  int card = 0;
  SIMGPU_TRY(CardOfResource(*input, &card));
  SIMGPU_REQUIRE(min_count <= input->sm.smCount, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
  const unsigned group = simgpu::cuda::RoundUp(
      std::max(min_count, simgpu::cuda::SmallestPartition(card)), simgpu::cuda::Alignment(card));
  const unsigned possible = input->sm.smCount / group;
  const unsigned groups = result == nullptr ? possible : std::min(*nb_groups, possible);
  SIMGPU_REQUIRE(groups > 0, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
  if (result != nullptr) std::fill_n(result, groups, SmResource(card, group));
  if (remaining != nullptr) *remaining = SmResource(card, input->sm.smCount - groups * group);
  *nb_groups = groups;
  return CUDA_SUCCESS;
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* desc, CUdevResource* resources,
                                   unsigned nb_resources) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(desc != nullptr && resources != nullptr && nb_resources > 0,
                 CUDA_ERROR_INVALID_VALUE);
  int card = 0;
  SIMGPU_TRY(CardOfResource(resources[0], &card));
  unsigned sm_count = 0;
  for (unsigned i = 0; i < nb_resources; ++i) {
    int other = 0;
    SIMGPU_TRY(CardOfResource(resources[i], &other));
    SIMGPU_REQUIRE(other == card, CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
    sm_count += resources[i].sm.smCount;
  }
  SIMGPU_REQUIRE(sm_count > 0 && sm_count <= SpecOf(card).sm_count,
                 CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
  *desc = simgpu::cuda::DescriptorOf(card, sm_count).handle();
  return *desc != nullptr ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
