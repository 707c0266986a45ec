// Between the parameter structs of single kinds of nodes, in their versions, and ours.
#pragma once

#include "simgpu/cuda/graph/node_params.h"

namespace simgpu::cuda {

KernelParams KernelFrom(const CUDA_KERNEL_NODE_PARAMS_v1& from);
KernelParams KernelFrom(const CUDA_KERNEL_NODE_PARAMS_v2& from);
void ToDriver(const KernelParams& from, CUDA_KERNEL_NODE_PARAMS_v1* to);
void ToDriver(const KernelParams& from, CUDA_KERNEL_NODE_PARAMS_v2* to);

FillParams FillFrom(const CUDA_MEMSET_NODE_PARAMS& from, CUcontext context);
void ToDriver(const FillParams& from, CUDA_MEMSET_NODE_PARAMS* to);

MemoryOpParams MemoryOpsFrom(const CUDA_BATCH_MEM_OP_NODE_PARAMS& from);
// Valid as long as the node.
void ToDriver(const MemoryOpParams& from, CUDA_BATCH_MEM_OP_NODE_PARAMS* to);

void ToDriver(const AllocationParams& from, CUDA_MEM_ALLOC_NODE_PARAMS* to);

}  // namespace simgpu::cuda
