// Adding nodes to graphs, and their parameters.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph,
                                                const CUgraphNode* dependencies, size_t count,
                                                const CUDA_BATCH_MEM_OP_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph,
                                                const CUgraphNode* dependencies, size_t count,
                                                CUgraph child_graph);
SIMGPU_EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph,
                                           const CUgraphNode* dependencies, size_t count);
SIMGPU_EXPORT CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                                 const CUgraphNode* dependencies, size_t count,
                                                 CUevent event);
SIMGPU_EXPORT CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph,
                                               const CUgraphNode* dependencies, size_t count,
                                               CUevent event);
SIMGPU_EXPORT CUresult cuGraphAddExternalSemaphoresSignalNode(
    CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphAddExternalSemaphoresWaitNode(
    CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph,
                                          const CUgraphNode* dependencies, size_t count,
                                          const CUDA_HOST_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph,
                                            const CUgraphNode* dependencies, size_t count,
                                            const CUDA_KERNEL_NODE_PARAMS_v1* node_params);
SIMGPU_EXPORT CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph,
                                               const CUgraphNode* dependencies, size_t count,
                                               const CUDA_KERNEL_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph,
                                              const CUgraphNode* dependencies, size_t count,
                                              CUDA_MEM_ALLOC_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph,
                                             const CUgraphNode* dependencies, size_t count,
                                             CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph,
                                            const CUgraphNode* dependencies, size_t count,
                                            const CUDA_MEMCPY3D* copy_params, CUcontext context);
SIMGPU_EXPORT CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph,
                                            const CUgraphNode* dependencies, size_t count,
                                            const CUDA_MEMSET_NODE_PARAMS* memset_params,
                                            CUcontext context);
SIMGPU_EXPORT CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph,
                                      const CUgraphNode* dependencies, size_t count,
                                      CUgraphNodeParams* node_params);
SIMGPU_EXPORT CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph,
                                         const CUgraphNode* dependencies,
                                         const CUgraphEdgeData* dependency_data, size_t count,
                                         CUgraphNodeParams* node_params);
SIMGPU_EXPORT CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node,
                                                      CUDA_BATCH_MEM_OP_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult
cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event);
SIMGPU_EXPORT CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
SIMGPU_EXPORT CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event);
SIMGPU_EXPORT CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
SIMGPU_EXPORT CUresult cuGraphExternalSemaphoresSignalNodeGetParams(
    CUgraphNode node, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* params);
SIMGPU_EXPORT CUresult cuGraphExternalSemaphoresSignalNodeSetParams(
    CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult
cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode node, CUDA_EXT_SEM_WAIT_NODE_PARAMS* params);
SIMGPU_EXPORT CUresult cuGraphExternalSemaphoresWaitNodeSetParams(
    CUgraphNode node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphHostNodeGetParams(CUgraphNode node,
                                                CUDA_HOST_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphHostNodeSetParams(CUgraphNode node,
                                                const CUDA_HOST_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
SIMGPU_EXPORT CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                                     CUkernelNodeAttrValue* value);
SIMGPU_EXPORT CUresult cuGraphKernelNodeGetParams(CUgraphNode node,
                                                  CUDA_KERNEL_NODE_PARAMS_v1* node_params);
SIMGPU_EXPORT CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node,
                                                     CUDA_KERNEL_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attr,
                                                     const CUkernelNodeAttrValue* value);
SIMGPU_EXPORT CUresult cuGraphKernelNodeSetParams(CUgraphNode node,
                                                  const CUDA_KERNEL_NODE_PARAMS_v1* node_params);
SIMGPU_EXPORT CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                                     const CUDA_KERNEL_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node,
                                                    CUDA_MEM_ALLOC_NODE_PARAMS* params);
SIMGPU_EXPORT CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* dptr);
SIMGPU_EXPORT CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* node_params);
SIMGPU_EXPORT CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node,
                                                  const CUDA_MEMCPY3D* node_params);
SIMGPU_EXPORT CUresult cuGraphMemsetNodeGetParams(CUgraphNode node,
                                                  CUDA_MEMSET_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphMemsetNodeSetParams(CUgraphNode node,
                                                  const CUDA_MEMSET_NODE_PARAMS* node_params);
SIMGPU_EXPORT CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* node_params);
