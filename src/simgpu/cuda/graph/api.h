// Graphs and their structure.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from,
                                              const CUgraphNode* to, size_t count);
SIMGPU_EXPORT CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from,
                                                 const CUgraphNode* to,
                                                 const CUgraphEdgeData* edge_data, size_t count);
SIMGPU_EXPORT CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph);
SIMGPU_EXPORT CUresult cuGraphClone(CUgraph* graph_clone, CUgraph original_graph);
SIMGPU_EXPORT CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle,
                                                      CUgraph graph, CUcontext context,
                                                      unsigned default_launch_value,
                                                      unsigned flags);
SIMGPU_EXPORT CUresult cuGraphCreate(CUgraph* graph, unsigned flags);
SIMGPU_EXPORT CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags);
SIMGPU_EXPORT CUresult cuGraphDestroy(CUgraph graph);
SIMGPU_EXPORT CUresult cuGraphDestroyNode(CUgraphNode node);
SIMGPU_EXPORT CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                                       size_t* num_edges);
SIMGPU_EXPORT CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                                          CUgraphEdgeData* edge_data, size_t* num_edges);
SIMGPU_EXPORT CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* num_nodes);
SIMGPU_EXPORT CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* root_nodes,
                                           size_t* num_root_nodes);
SIMGPU_EXPORT CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original_node,
                                              CUgraph cloned_graph);
SIMGPU_EXPORT CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies,
                                                  size_t* count);
SIMGPU_EXPORT CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies,
                                                     CUgraphEdgeData* edge_data, size_t* count);
SIMGPU_EXPORT CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependent_nodes,
                                                    size_t* num_dependent_nodes);
SIMGPU_EXPORT CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node,
                                                       CUgraphNode* dependent_nodes,
                                                       CUgraphEdgeData* edge_data,
                                                       size_t* num_dependent_nodes);
SIMGPU_EXPORT CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type);
SIMGPU_EXPORT CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from,
                                                 const CUgraphNode* to, size_t count);
SIMGPU_EXPORT CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from,
                                                    const CUgraphNode* to,
                                                    const CUgraphEdgeData* edge_data, size_t count);
