#include "simgpu/cuda/stream/memory_op.h"

#include <atomic>
#include <cstdint>

#include "simgpu/cuda/memory/range.h"

namespace simgpu::cuda {
namespace {

template <class Word>
std::atomic_ref<Word> At(CUdeviceptr address) {
  return std::atomic_ref<Word>(*reinterpret_cast<Word*>(address));
}

CUresult CheckWord(CUdeviceptr address, size_t bytes, Touch touch) {
  SIMGPU_REQUIRE(address % bytes == 0, CUDA_ERROR_INVALID_VALUE);
  Allocation ignored;
  return CheckRange(address, bytes, touch, &ignored);
}

CUresult CheckWait(const CUstreamBatchMemOpParams& op, size_t bytes) {
  const unsigned how = op.waitValue.flags & ~static_cast<unsigned>(CU_STREAM_WAIT_VALUE_FLUSH);
  SIMGPU_REQUIRE(how <= CU_STREAM_WAIT_VALUE_NOR, CUDA_ERROR_INVALID_VALUE);
  // The cards say that they cannot flush remote writes.
  SIMGPU_REQUIRE(how == op.waitValue.flags, CUDA_ERROR_NOT_SUPPORTED);
  return CheckWord(op.waitValue.address, bytes, Touch::kRead);
}

CUresult CheckWrite(const CUstreamBatchMemOpParams& op, size_t bytes) {
  SIMGPU_REQUIRE(op.writeValue.flags <= CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER,
                 CUDA_ERROR_INVALID_VALUE);
  return CheckWord(op.writeValue.address, bytes, Touch::kWrite);
}

CUresult Check(const CUstreamBatchMemOpParams& op) {
  switch (op.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return CheckWait(op, sizeof(uint32_t));
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return CheckWait(op, sizeof(uint64_t));
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return CheckWrite(op, sizeof(uint32_t));
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return CheckWrite(op, sizeof(uint64_t));
    case CU_STREAM_MEM_OP_BARRIER:
      return op.memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_SUCCESS
                                                                         : CUDA_ERROR_INVALID_VALUE;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

// Signed distance, so that a counter may wrap.
template <class Word, class SignedWord>
bool Holds(Word seen, Word wanted, unsigned how) {
  switch (how) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return static_cast<SignedWord>(seen - wanted) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return seen == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (seen & wanted) != 0;
    default:
      return static_cast<Word>(~(seen | wanted)) != 0;
  }
}

Op OpOf(const CUstreamBatchMemOpParams& op) {
  const auto wait = op.waitValue;
  const auto write = op.writeValue;
  switch (op.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return Op::Poll([wait] {
        const uint32_t seen = At<uint32_t>(wait.address).load(std::memory_order_acquire);
        return Holds<uint32_t, int32_t>(seen, wait.value, wait.flags);
      });
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return Op::Poll([wait] {
        const uint64_t seen = At<uint64_t>(wait.address).load(std::memory_order_acquire);
        return Holds<uint64_t, int64_t>(seen, wait.value64, wait.flags);
      });
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return Op::Effect(
          [write] { At<uint32_t>(write.address).store(write.value, std::memory_order_release); });
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return Op::Effect(
          [write] { At<uint64_t>(write.address).store(write.value64, std::memory_order_release); });
    default:
      return Op::Effect([] { std::atomic_thread_fence(std::memory_order_seq_cst); });
  }
}

}  // namespace

CUresult CheckMemoryOps(const std::vector<CUstreamBatchMemOpParams>& ops) {
  for (const CUstreamBatchMemOpParams& op : ops) SIMGPU_TRY(Check(op));
  return CUDA_SUCCESS;
}

std::vector<Op> OpsOf(const std::vector<CUstreamBatchMemOpParams>& ops) {
  std::vector<Op> work;
  work.reserve(ops.size());
  for (const CUstreamBatchMemOpParams& op : ops) work.push_back(OpOf(op));
  return work;
}

}  // namespace simgpu::cuda
