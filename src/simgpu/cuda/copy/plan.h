// A copy as the driver is asked for it, checked and resolved to addresses. Every copy function of
// the driver becomes a CUDA_MEMCPY3D, so this is the one place that judges them; graphs keep that
// struct in their nodes and plan it again when they are launched.
#pragma once

#include "simgpu/cuda/copy/box.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/op.h"

namespace simgpu::cuda {

enum class Place : uint8_t {
  kPageable,  // host memory that the driver does not know
  kPinned,    // host memory that it does
  kDevice,    // card memory: linear, managed, mapped or an array
};

struct Endpoint {
  BoxView view;
  Place place = Place::kPageable;
  int card = -1;
  bool sync_memops = false;  // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
};

struct CopyPlan {
  Endpoint to;
  Endpoint from;
  BoxExtent extent;

  bool empty() const { return extent.empty(); }
};

// The error a copy function gives for it, or the plan. An empty copy is legal whatever it names.
CUresult PlanCopy(const CUDA_MEMCPY3D& copy, CopyPlan* plan);

// Commits the memory that will be written, so that a full file system is an error now
// (CUDA_ERROR_OPERATING_SYSTEM) and not a dead process later. Before each enqueueing.
CUresult CommitTarget(const CopyPlan& plan);

// The work it means in a stream.
Op OpOf(const CopyPlan& plan);

// One-dimensional copies, told by what the two sides are.
CUDA_MEMCPY3D LinearCopy(CUmemorytype to_type, CUdeviceptr to, CUmemorytype from_type,
                         CUdeviceptr from, size_t bytes);

}  // namespace simgpu::cuda
