#include "simgpu/cuda/graph/edges.h"

namespace simgpu::cuda {

CUresult ResolveEdges(const EdgeList& list, std::vector<GraphEdge>* edges) {
  SIMGPU_REQUIRE(list.count == 0 || list.nodes != nullptr, CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < list.count; ++i) {
    GraphNode* const node = GraphNode::From(list.nodes[i]);
    SIMGPU_REQUIRE(node != nullptr, CUDA_ERROR_INVALID_VALUE);
    const CUgraphEdgeData data = list.data == nullptr ? CUgraphEdgeData{} : list.data[i];
    SIMGPU_REQUIRE(data.type <= CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC &&
                       data.from_port <= CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER,
                   CUDA_ERROR_INVALID_VALUE);
    edges->push_back({node, data});
  }
  return CUDA_SUCCESS;
}

bool IsPlain(const CUgraphEdgeData& data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == 0;
}

}  // namespace simgpu::cuda
