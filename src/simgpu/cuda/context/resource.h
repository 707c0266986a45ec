// Shares of a device that green contexts are made of: numbers of multiprocessors.
#pragma once

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// All multiprocessors of the card, or `sm_count` of them.
CUdevResource SmResource(int card, unsigned sm_count);

// The card a resource is of: CUDA_ERROR_INVALID_RESOURCE_TYPE for one the driver did not make.
CUresult CardOfResource(const CUdevResource& resource, int* card);

// What cuDevResourceGenerateDesc makes and green contexts are made of.
class ResourceDescriptor
    : public Handled<ResourceDescriptor, CUdevResourceDesc, HandleKind::kResourceDescriptor> {
 public:
  ResourceDescriptor(int card, unsigned sm_count) : card_(card), sm_count_(sm_count) {}

  int card() const { return card_; }
  unsigned sm_count() const { return sm_count_; }

 private:
  const int card_;
  const unsigned sm_count_;
};

}  // namespace simgpu::cuda
