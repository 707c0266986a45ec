// How many blocks of a kernel fit on a multiprocessor of the simulated card at once.
#pragma once

#include <cstddef>

#include "simgpu/cuda/module/function.h"
#include "simgpu/world/scenario.h"

namespace simgpu::cuda {

struct BlockNeeds {
  unsigned threads = 1;
  size_t shared_bytes = 0;  // dynamic
  int registers = 32;       // of a thread
};

unsigned BlocksAtOnce(const BlockNeeds& needs);

// Most dynamic shared memory that lets `blocks` blocks of that many threads fit at once.
size_t SharedBytesFor(unsigned blocks);

// For kernels that ask for it, a card of compute capability 9 groups up to 8 blocks (16 if the
// kernel allows that) in a cluster.
unsigned LargestCluster(const world::CardSpec& spec, const FunctionAttributes& attributes);

}  // namespace simgpu::cuda
