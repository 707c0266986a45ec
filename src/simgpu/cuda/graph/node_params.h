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

class Event;
class Graph;

struct EmptyParams {};

struct KernelParams {
  CUDA_KERNEL_NODE_PARAMS_v2 launch{};  // its argument pointers refer to `arguments`
  std::map<CUlaunchAttributeID, CUlaunchAttributeValue> attributes;
  std::shared_ptr<struct KernelArguments> arguments;
};

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
  CUDA_MEM_ALLOC_NODE_PARAMS_v2 alloc{};  // accessDescs refers to `access`
  std::vector<CUmemAccessDesc> access;
};

struct FreeParams {
  CUdeviceptr pointer = 0;
};

struct MemoryOpParams {
  CUcontext context = nullptr;
  unsigned flags = 0;
  std::vector<CUstreamBatchMemOpParams> ops;
};

struct ConditionalParams {
  CUgraphConditionalHandle handle = 0;
  CUgraphConditionalNodeType type = CU_GRAPH_COND_TYPE_IF;
  CUcontext context = nullptr;
  std::vector<std::shared_ptr<Graph>> bodies;
};

using NodeParams =
    std::variant<EmptyParams, KernelParams, CopyParams, FillParams, HostParams, ChildParams,
                 EventParams, AllocationParams, FreeParams, MemoryOpParams, ConditionalParams>;

CUgraphNodeType TypeOf(const NodeParams& params);

}  // namespace simgpu::cuda
