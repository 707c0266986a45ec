// Stream capture.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuStreamBeginCapture(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamBeginCapture_ptsz(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode);
SIMGPU_EXPORT CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, CUstreamCaptureMode mode);
SIMGPU_EXPORT CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                                   const CUgraphNode* dependencies,
                                                   const CUgraphEdgeData* dependency_data,
                                                   size_t count, CUstreamCaptureMode mode);
SIMGPU_EXPORT CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph,
                                                        const CUgraphNode* dependencies,
                                                        const CUgraphEdgeData* dependency_data,
                                                        size_t count, CUstreamCaptureMode mode);
SIMGPU_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph);
SIMGPU_EXPORT CUresult cuStreamEndCapture_ptsz(CUstream stream, CUgraph* graph);
SIMGPU_EXPORT CUresult cuStreamGetCaptureInfo(CUstream stream,
                                              CUstreamCaptureStatus* capture_status, uint64_t* id);
SIMGPU_EXPORT CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream,
                                                   CUstreamCaptureStatus* capture_status,
                                                   uint64_t* id);
SIMGPU_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream,
                                                 CUstreamCaptureStatus* capture_status,
                                                 uint64_t* id, CUgraph* graph,
                                                 const CUgraphNode** dependencies,
                                                 size_t* num_dependencies);
SIMGPU_EXPORT CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream stream,
                                                      CUstreamCaptureStatus* capture_status,
                                                      uint64_t* id, CUgraph* graph,
                                                      const CUgraphNode** dependencies,
                                                      size_t* num_dependencies);
SIMGPU_EXPORT CUresult cuStreamGetCaptureInfo_v3(
    CUstream stream, CUstreamCaptureStatus* capture_status, uint64_t* id, CUgraph* graph,
    const CUgraphNode** dependencies, const CUgraphEdgeData** edge_data, size_t* num_dependencies);
SIMGPU_EXPORT CUresult cuStreamGetCaptureInfo_v3_ptsz(
    CUstream stream, CUstreamCaptureStatus* capture_status, uint64_t* id, CUgraph* graph,
    const CUgraphNode** dependencies, const CUgraphEdgeData** edge_data, size_t* num_dependencies);
SIMGPU_EXPORT CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* capture_status);
SIMGPU_EXPORT CUresult cuStreamIsCapturing_ptsz(CUstream stream,
                                                CUstreamCaptureStatus* capture_status);
SIMGPU_EXPORT CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                         size_t count, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream stream,
                                                              CUgraphNode* dependencies,
                                                              size_t count, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream,
                                                            CUgraphNode* dependencies,
                                                            const CUgraphEdgeData* dependency_data,
                                                            size_t count, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(
    CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* dependency_data,
    size_t count, unsigned flags);
SIMGPU_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode);
