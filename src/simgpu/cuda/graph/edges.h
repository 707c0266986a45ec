// Lists of dependencies as the driver's functions take them.
#pragma once

#include <cstddef>
#include <vector>

#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

struct EdgeList {
  const CUgraphNode* nodes = nullptr;
  const CUgraphEdgeData* data = nullptr;  // nullptr: plain edges
  size_t count = 0;
};

// CUDA_ERROR_INVALID_VALUE for what is no node, and for edges of an unknown kind.
CUresult ResolveEdges(const EdgeList& list, std::vector<GraphEdge>* edges);

bool IsPlain(const CUgraphEdgeData& data);

}  // namespace simgpu::cuda
