// Batches of copies: checked as a whole, then enqueued one by one. The order inside a batch is the
// driver's choice; here it is the order given.
#pragma once

#include <cstddef>
#include <functional>

#include "simgpu/cuda/copy/submit.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

struct BatchCopy {
  CUDA_MEMCPY3D copy;
  CUmemcpySrcAccessOrder order;
};

// The batch's copy of an index, or the error of its description.
using BatchEntry = std::function<CUresult(size_t index, BatchCopy* entry)>;

// `failed`, if not nullptr, is set to the index of the copy at fault, or to SIZE_MAX.
CUresult CopyBatch(size_t count, const BatchEntry& entry, size_t* failed, CUstream stream,
                   DefaultStream mode);

}  // namespace simgpu::cuda
