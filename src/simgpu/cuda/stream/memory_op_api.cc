// cuStreamWaitValue, cuStreamWriteValue and cuStreamBatchMemOp. The first and the second version of
// each do the same here.
#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/stream/memory_op.h"
#include "simgpu/cuda/stream/stream.h"

using simgpu::cuda::DefaultStream;
using simgpu::cuda::Stream;

namespace {

using Params = CUstreamBatchMemOpParams;

constexpr unsigned kMaxBatch = 256;
constexpr DefaultStream kLegacy = DefaultStream::kLegacy;
constexpr DefaultStream kPerThread = DefaultStream::kPerThread;

CUresult Submit(CUstream handle, DefaultStream mode, std::vector<Params> ops) {
  Stream* stream = nullptr;
  SIMGPU_TRY(simgpu::cuda::ResolveForWork(handle, mode, &stream));
  SIMGPU_TRY(simgpu::cuda::CheckMemoryOps(ops));
  if (!stream->capturing()) return stream->EnqueueAll(simgpu::cuda::OpsOf(ops));
  simgpu::cuda::NodeParams params = simgpu::cuda::MemoryOpParams{
      .context = stream->context().handle(), .flags = 0, .ops = std::move(ops)};
  return simgpu::cuda::CaptureNode(*stream, params);
}

CUresult Batch(CUstream handle, DefaultStream mode, unsigned count, const Params* ops,
               unsigned flags) {
  SIMGPU_TRY(simgpu::cuda::Ready());
  SIMGPU_REQUIRE(count <= kMaxBatch && (count == 0 || ops != nullptr) && flags == 0,
                 CUDA_ERROR_INVALID_VALUE);
  return Submit(handle, mode, std::vector<Params>(ops, ops + count));
}

Params Wait32(CUdeviceptr address, uint32_t value, unsigned flags) {
  Params op{};
  op.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  op.waitValue.address = address;
  op.waitValue.value = value;
  op.waitValue.flags = flags;
  return op;
}

Params Wait64(CUdeviceptr address, uint64_t value, unsigned flags) {
  Params op = Wait32(address, 0, flags);
  op.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
  op.waitValue.value64 = value;
  return op;
}

Params Write32(CUdeviceptr address, uint32_t value, unsigned flags) {
  Params op{};
  op.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  op.writeValue.address = address;
  op.writeValue.value = value;
  op.writeValue.flags = flags;
  return op;
}

Params Write64(CUdeviceptr address, uint64_t value, unsigned flags) {
  Params op = Write32(address, 0, flags);
  op.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  op.writeValue.value64 = value;
  return op;
}

}  // namespace

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, uint32_t value, unsigned flags) {
  return Submit(stream, kLegacy, {Wait32(addr, value, flags)});
}
CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, uint32_t value,
                                  unsigned flags) {
  return Submit(stream, kPerThread, {Wait32(addr, value, flags)});
}
CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, uint32_t value, unsigned flags) {
  return Submit(stream, kLegacy, {Wait32(addr, value, flags)});
}
CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, uint32_t value,
                                     unsigned flags) {
  return Submit(stream, kPerThread, {Wait32(addr, value, flags)});
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, uint64_t value, unsigned flags) {
  return Submit(stream, kLegacy, {Wait64(addr, value, flags)});
}
CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, uint64_t value,
                                  unsigned flags) {
  return Submit(stream, kPerThread, {Wait64(addr, value, flags)});
}
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, uint64_t value, unsigned flags) {
  return Submit(stream, kLegacy, {Wait64(addr, value, flags)});
}
CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, uint64_t value,
                                     unsigned flags) {
  return Submit(stream, kPerThread, {Wait64(addr, value, flags)});
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, uint32_t value, unsigned flags) {
  return Submit(stream, kLegacy, {Write32(addr, value, flags)});
}
CUresult cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr, uint32_t value,
                                   unsigned flags) {
  return Submit(stream, kPerThread, {Write32(addr, value, flags)});
}
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, uint32_t value,
                                 unsigned flags) {
  return Submit(stream, kLegacy, {Write32(addr, value, flags)});
}
CUresult cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, uint32_t value,
                                      unsigned flags) {
  return Submit(stream, kPerThread, {Write32(addr, value, flags)});
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, uint64_t value, unsigned flags) {
  return Submit(stream, kLegacy, {Write64(addr, value, flags)});
}
CUresult cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr, uint64_t value,
                                   unsigned flags) {
  return Submit(stream, kPerThread, {Write64(addr, value, flags)});
}
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, uint64_t value,
                                 unsigned flags) {
  return Submit(stream, kLegacy, {Write64(addr, value, flags)});
}
CUresult cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, uint64_t value,
                                      unsigned flags) {
  return Submit(stream, kPerThread, {Write64(addr, value, flags)});
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* param_array,
                            unsigned flags) {
  return Batch(stream, kLegacy, count, param_array, flags);
}
CUresult cuStreamBatchMemOp_ptsz(CUstream stream, unsigned count,
                                 CUstreamBatchMemOpParams* param_array, unsigned flags) {
  return Batch(stream, kPerThread, count, param_array, flags);
}
CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                               CUstreamBatchMemOpParams* param_array, unsigned flags) {
  return Batch(stream, kLegacy, count, param_array, flags);
}
CUresult cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned count,
                                    CUstreamBatchMemOpParams* param_array, unsigned flags) {
  return Batch(stream, kPerThread, count, param_array, flags);
}
