#include "simgpu/cuda/graph/node_convert.h"

namespace simgpu::cuda {

KernelParams KernelFrom(const CUDA_KERNEL_NODE_PARAMS_v1& from) {
  KernelParams kernel;
  kernel.launch = {from.func,         from.gridDimX,  from.gridDimY,  from.gridDimZ,
                   from.blockDimX,    from.blockDimY, from.blockDimZ, from.sharedMemBytes,
                   from.kernelParams, from.extra,     nullptr,        nullptr};
  return kernel;
}

KernelParams KernelFrom(const CUDA_KERNEL_NODE_PARAMS_v2& from) {
  KernelParams kernel;
  kernel.launch = from;
  return kernel;
}

void ToDriver(const KernelParams& from, CUDA_KERNEL_NODE_PARAMS_v1* to) {
  const CUDA_KERNEL_NODE_PARAMS_v2& launch = from.launch;
  *to = {launch.func,      launch.gridDimX,  launch.gridDimY,  launch.gridDimZ,
         launch.blockDimX, launch.blockDimY, launch.blockDimZ, launch.sharedMemBytes,
         nullptr,          nullptr};
}

void ToDriver(const KernelParams& from, CUDA_KERNEL_NODE_PARAMS_v2* to) { *to = from.launch; }

FillParams FillFrom(const CUDA_MEMSET_NODE_PARAMS& from, CUcontext context) {
  return {{from.dst, from.pitch, from.value, from.elementSize, from.width, from.height, context}};
}

void ToDriver(const FillParams& from, CUDA_MEMSET_NODE_PARAMS* to) {
  const CUDA_MEMSET_NODE_PARAMS_v2& fill = from.fill;
  *to = {fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height};
}

MemoryOpParams MemoryOpsFrom(const CUDA_BATCH_MEM_OP_NODE_PARAMS& from) {
  MemoryOpParams ops{from.ctx, from.flags, {}};
  if (from.paramArray != nullptr) ops.ops.assign(from.paramArray, from.paramArray + from.count);
  return ops;
}

void ToDriver(const MemoryOpParams& from, CUDA_BATCH_MEM_OP_NODE_PARAMS* to) {
  *to = {from.context, static_cast<unsigned>(from.ops.size()),
         const_cast<CUstreamBatchMemOpParams*>(from.ops.data()), from.flags};
}

void ToDriver(const AllocationParams& from, CUDA_MEM_ALLOC_NODE_PARAMS* to) {
  *to = {from.alloc.poolProps, from.access.data(), from.access.size(), from.alloc.bytesize,
         from.alloc.dptr};
}

}  // namespace simgpu::cuda
