// Reading and changing the parameters of nodes.
#include <utility>

#include "simgpu/cuda/graph/change_node.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/lookup.h"
#include "simgpu/cuda/graph/node_api.h"
#include "simgpu/cuda/graph/node_convert.h"

using simgpu::cuda::AllocationParams;
using simgpu::cuda::ChangeNode;
using simgpu::cuda::CopyParams;
using simgpu::cuda::EventParams;
using simgpu::cuda::FillParams;
using simgpu::cuda::FindNode;
using simgpu::cuda::FreeParams;
using simgpu::cuda::GraphLock;
using simgpu::cuda::GraphNode;
using simgpu::cuda::HostParams;
using simgpu::cuda::KernelParams;
using simgpu::cuda::MemoryOpParams;
using simgpu::cuda::NodeParams;
using simgpu::cuda::Ready;

namespace {

// Gives the parameters of a node of that kind to `use`.
template <class Params, class Use>
CUresult Read(CUgraphNode handle, const void* out, Use use) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(out != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  GraphNode* node = nullptr;
  SIMGPU_TRY(FindNode(handle, &node));
  const auto* const params = node->As<Params>();
  SIMGPU_REQUIRE(params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return use(*params);
}

template <class Params, class Driver>
CUresult Get(CUgraphNode handle, Driver* out) {
  return Read<Params>(handle, out, [out](const Params& params) {
    simgpu::cuda::ToDriver(params, out);
    return CUDA_SUCCESS;
  });
}

CUresult Set(CUgraphNode handle, NodeParams params) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  GraphNode* node = nullptr;
  SIMGPU_TRY(FindNode(handle, &node));
  return ChangeNode(*node, std::move(params));
}

// Changes that keep the rest of what a node has.
template <class Params, class Change>
CUresult Edit(CUgraphNode handle, const void* given, Change change) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(given != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  GraphNode* node = nullptr;
  SIMGPU_TRY(FindNode(handle, &node));
  const auto* const known = node->As<Params>();
  SIMGPU_REQUIRE(known != nullptr, CUDA_ERROR_INVALID_VALUE);
  Params params = *known;
  change(params);
  return ChangeNode(*node, std::move(params));
}

CUresult GetEvent(CUgraphNode handle, CUevent* event, bool record) {
  return Read<EventParams>(handle, event, [=](const EventParams& params) {
    SIMGPU_REQUIRE(params.record == record, CUDA_ERROR_INVALID_VALUE);
    *event = params.event;
    return CUDA_SUCCESS;
  });
}

}  // namespace

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* node_params) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  NodeParams params;
  {
    const GraphLock lock;
    SIMGPU_TRY(simgpu::cuda::FromDriver(*node_params, &params));
  }
  return Set(node, std::move(params));
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* node_params) {
  return Get<KernelParams>(node, node_params);
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* node_params) {
  return Get<KernelParams>(node, node_params);
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                       const CUDA_KERNEL_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Set(node, simgpu::cuda::KernelFrom(*node_params));
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node,
                                    const CUDA_KERNEL_NODE_PARAMS_v1* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Set(node, simgpu::cuda::KernelFrom(*node_params));
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                       CUkernelNodeAttrValue* value) {
  return Read<KernelParams>(node, value, [=](const KernelParams& params) {
    const auto found = params.attributes.find(attr);
    *value = found == params.attributes.end() ? CUkernelNodeAttrValue{} : found->second;
    return CUDA_SUCCESS;
  });
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue* value) {
  return Edit<KernelParams>(node, value,
                            [=](KernelParams& params) { params.attributes[attr] = *value; });
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  std::map<CUlaunchAttributeID, CUlaunchAttributeValue> attributes;
  SIMGPU_TRY(Read<KernelParams>(src, &attributes, [&attributes](const KernelParams& params) {
    attributes = params.attributes;
    return CUDA_SUCCESS;
  }));
  return Edit<KernelParams>(
      dst, &attributes, [&attributes](KernelParams& params) { params.attributes = attributes; });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* node_params) {
  return Read<CopyParams>(node, node_params, [=](const CopyParams& params) {
    *node_params = params.copy;
    return CUDA_SUCCESS;
  });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* node_params) {
  return Edit<CopyParams>(node, node_params,
                          [=](CopyParams& params) { params.copy = *node_params; });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* node_params) {
  return Get<FillParams>(node, node_params);
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* node_params) {
  return Edit<FillParams>(node, node_params, [=](FillParams& params) {
    params = simgpu::cuda::FillFrom(*node_params, params.fill.ctx);
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* node_params) {
  return Read<HostParams>(node, node_params, [=](const HostParams& params) {
    *node_params = {params.host.fn, params.host.userData};
    return CUDA_SUCCESS;
  });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Set(node, HostParams{{node_params->fn, node_params->userData}});
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return GetEvent(node, event, /*record=*/true);
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return Set(node, EventParams{event, true});
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return GetEvent(node, event, /*record=*/false);
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return Set(node, EventParams{event, false});
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
  return Get<AllocationParams>(node, params);
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* dptr) {
  return Read<FreeParams>(node, dptr, [=](const FreeParams& params) {
    *dptr = params.pointer;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node,
                                        CUDA_BATCH_MEM_OP_NODE_PARAMS* node_params) {
  return Get<MemoryOpParams>(node, node_params);
}
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Set(node, simgpu::cuda::MemoryOpsFrom(*node_params));
}
