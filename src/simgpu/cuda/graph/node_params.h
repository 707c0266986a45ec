// What a graph node does: the driver's parameter structs, with copies of everything they point to,
// so that a node keeps no pointer into the program's stack.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Graph;
class GraphAllocation;

struct EmptyParams {};

// Arguments are not kept: simulated kernels take none, and tell so (cuFuncGetParamInfo). But one
// may say how long the kernel lasts (launch/duration.h).
struct KernelParams {
  CUDA_KERNEL_NODE_PARAMS_v2 launch{};  // func and ctx are always set, the argument pointers never
  std::map<CUlaunchAttributeID, CUlaunchAttributeValue> attributes;
  uint64_t first_argument = 0;  // where it matters
};

// In all structs: the context that the work runs in.
struct CopyParams {
  CUDA_MEMCPY3D copy{};
  CUcontext context = nullptr;
};

struct FillParams {
  CUDA_MEMSET_NODE_PARAMS_v2 fill{};  // height 1 for one-dimensional fills
};

struct HostParams {
  CUDA_HOST_NODE_PARAMS_v2 host{};
};

struct ChildParams {
  std::shared_ptr<Graph> graph;
};

struct EventParams {
  CUevent event = nullptr;
  bool record = false;  // else waits for it
};

struct AllocationParams {
  CUDA_MEM_ALLOC_NODE_PARAMS_v2 alloc{};  // without accessDescs
  std::vector<CUmemAccessDesc> access;
  std::shared_ptr<GraphAllocation> allocation;  // made when the node is
};

struct FreeParams {
  CUdeviceptr pointer = 0;
  std::shared_ptr<GraphAllocation> allocation;  // whose address it is
};

struct MemoryOpParams {
  CUcontext context = nullptr;
  unsigned flags = 0;
  std::vector<CUstreamBatchMemOpParams> ops;
};

struct ConditionalParams {
  CUgraphConditionalHandle handle = 0;
  CUgraphConditionalNodeType type = CU_GRAPH_COND_TYPE_IF;
  unsigned size = 0;
  CUcontext context = nullptr;
  std::vector<std::shared_ptr<Graph>> bodies;
  std::vector<CUgraph> body_handles;  // what phGraph_out of the driver's struct points to
};

using NodeParams =
    std::variant<EmptyParams, KernelParams, CopyParams, FillParams, HostParams, ChildParams,
                 EventParams, AllocationParams, FreeParams, MemoryOpParams, ConditionalParams>;

CUgraphNodeType TypeOf(const NodeParams& params);

// Fills in what a new node needs (the kernel's function, the context, an allocation's address) and
// checks the rest as the functions that add nodes do.
CUresult PrepareNode(NodeParams& params);

// Between the driver's struct for all kinds of nodes and ours.
CUresult FromDriver(const CUgraphNodeParams& from, NodeParams* params);

}  // namespace simgpu::cuda
