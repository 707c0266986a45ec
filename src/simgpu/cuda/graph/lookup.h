// Graphs and nodes as the program names them. Under GraphLock.
#pragma once

#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

inline CUresult FindGraph(CUgraph handle, Graph** graph) {
  *graph = Graph::From(handle);
  return *graph != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

inline CUresult FindNode(CUgraphNode handle, GraphNode** node) {
  *node = GraphNode::From(handle);
  return *node != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace simgpu::cuda
