// Changing what a node does, in a graph or in an executable graph. Under GraphLock.
#pragma once

#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// The node keeps its kind, and a kernel node its attributes unless `params` has some:
// CUDA_ERROR_INVALID_VALUE. Nodes of memory cannot be changed.
CUresult ChangeNode(GraphNode& node, NodeParams params);

// Makes the nodes of `graph` do what those of `source` do, and replaces the references of user
// objects that it holds by those that `source` holds. Both must be built alike: the same kinds of
// nodes, added in the same order, with the same edges. Otherwise `info` says where they differ, and
// CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE is returned with nothing changed.
CUresult ChangeAll(Graph& graph, const Graph& source, CUgraphExecUpdateResultInfo* info);

}  // namespace simgpu::cuda
