// Sends copies and fills on their way: into a stream, or into the graph that is being captured
// (there they are checked when the graph runs: its own memory has no place before).
#pragma once

#include <vector>

#include "simgpu/cuda/copy/fill.h"
#include "simgpu/cuda/copy/plan.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {

// Synchronous functions: in the default stream, ordered after what is in it. Return when the copy
// is done, except between two places on cards, where a real driver does not wait either.
CUresult CopyNow(const CUDA_MEMCPY3D& copy, DefaultStream mode);

// The same between contexts: it begins after all that the streams of `contexts` have been given,
// and what they are given later begins after it.
CUresult CopyNowAmong(const std::vector<Context*>& contexts, const CUDA_MEMCPY3D& copy,
                      DefaultStream mode);

// Asynchronous functions. Pageable host memory makes them wait, as on a real card: a small source
// is set aside first, anything else is copied before the call returns. kDuringCall: the program
// takes its source back when the call returns.
enum class SourceUse : uint8_t { kInStreamOrder, kDuringCall };

CUresult CopyInStream(const CUDA_MEMCPY3D& copy, CUstream stream, DefaultStream mode,
                      SourceUse use = SourceUse::kInStreamOrder);

// Fills on cards are never waited for; fills of pinned host memory are, by synchronous functions.
CUresult FillNow(const CUDA_MEMSET_NODE_PARAMS_v2& fill, DefaultStream mode);
CUresult FillInStream(const CUDA_MEMSET_NODE_PARAMS_v2& fill, CUstream stream, DefaultStream mode);

}  // namespace simgpu::cuda
