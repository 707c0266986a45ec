// cuGraphDebugDotPrint: a graph in the language of Graphviz.
#include <fstream>
#include <ostream>

#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/lookup.h"
#include "simgpu/cuda/module/function.h"

namespace simgpu::cuda {
namespace {

const char* NameOf(CUgraphNodeType type) {
  static constexpr const char* kNames[] = {
      "KERNEL",       "MEMCPY",       "MEMSET",           "HOST",           "GRAPH",     "EMPTY",
      "EVENT_WAIT",   "EVENT_RECORD", "EXT_SEMAS_SIGNAL", "EXT_SEMAS_WAIT", "MEM_ALLOC", "MEM_FREE",
      "BATCH_MEM_OP", "CONDITIONAL"};
  return kNames[type];
}

void PrintNode(const GraphNode& node, std::ostream& out) {
  out << "  \"node_" << node.id() << "\" [shape=\"record\" label=\"{" << NameOf(node.type());
  if (const auto* kernel = node.As<KernelParams>()) {
    const CUDA_KERNEL_NODE_PARAMS_v2& launch = kernel->launch;
    if (const Function* const function = Function::From(launch.func))
      out << "|" << function->name();
    out << "|grid " << launch.gridDimX << "," << launch.gridDimY << "," << launch.gridDimZ
        << "|block " << launch.blockDimX << "," << launch.blockDimY << "," << launch.blockDimZ;
  }
  out << "}\"];\n";
}

void PrintGraph(const Graph& graph, std::ostream& out) {
  for (const auto& node : graph.nodes()) {
    PrintNode(*node, out);
    for (const GraphEdge& edge : node->dependents()) {
      out << "  \"node_" << node->id() << "\" -> \"node_" << edge.node->id() << "\";\n";
    }
    for (const auto& inner : InnerGraphs(*node)) {
      out << "  subgraph cluster_" << node->id() << " {\n";
      PrintGraph(*inner, out);
      out << "  }\n";
    }
  }
}

}  // namespace
}  // namespace simgpu::cuda

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  (void)flags;  // how much to tell; kernels and structure are told always
  SIMGPU_TRY(simgpu::cuda::Ready());
  SIMGPU_REQUIRE(path != nullptr, CUDA_ERROR_INVALID_VALUE);
  const simgpu::cuda::GraphLock lock;
  simgpu::cuda::Graph* found = nullptr;
  SIMGPU_TRY(simgpu::cuda::FindGraph(graph, &found));
  std::ofstream file(path);
  file << "digraph dot {\n";
  simgpu::cuda::PrintGraph(*found, file);
  file << "}\n";
  file.close();
  return file.good() ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
