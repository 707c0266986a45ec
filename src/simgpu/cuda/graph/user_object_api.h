// User objects of graphs, and the memory a device keeps for graphs.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                                    void* value);
SIMGPU_EXPORT CUresult cuDeviceGraphMemTrim(CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                                    void* value);
SIMGPU_EXPORT CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count);
SIMGPU_EXPORT CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                               unsigned flags);
SIMGPU_EXPORT CUresult cuUserObjectCreate(CUuserObject* object, void* ptr, CUhostFn destroy,
                                          unsigned initial_refcount, unsigned flags);
SIMGPU_EXPORT CUresult cuUserObjectRelease(CUuserObject object, unsigned count);
SIMGPU_EXPORT CUresult cuUserObjectRetain(CUuserObject object, unsigned count);
