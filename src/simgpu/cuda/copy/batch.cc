#include "simgpu/cuda/copy/batch.h"

#include <cstdint>
#include <vector>

#include "simgpu/cuda/array/array.h"
#include "simgpu/cuda/copy/api.h"

namespace simgpu::cuda {
namespace {

bool IsOrder(CUmemcpySrcAccessOrder order) {
  return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

bool NamesLegacyStream(CUstream stream, DefaultStream mode) {
  return stream == CU_STREAM_LEGACY || (stream == nullptr && mode == DefaultStream::kLegacy);
}

// Which attributes each copy of a batch has: attrs[k] from attr_starts[k] on.
struct Attributes {
  const CUmemcpyAttributes* attrs;
  const size_t* starts;
  size_t count;

  CUresult Check(size_t copies) const {
    SIMGPU_REQUIRE(attrs != nullptr && starts != nullptr && count != 0 && count <= copies,
                   CUDA_ERROR_INVALID_VALUE);
    SIMGPU_REQUIRE(starts[0] == 0 && starts[count - 1] < copies, CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 1; i < count; i++) {
      SIMGPU_REQUIRE(starts[i - 1] < starts[i], CUDA_ERROR_INVALID_VALUE);
    }
    return CUDA_SUCCESS;
  }

  const CUmemcpyAttributes& Of(size_t copy) const {
    size_t k = 0;
    while (k + 1 < count && starts[k + 1] <= copy) k++;
    return attrs[k];
  }
};

size_t ElementBytes(const CUmemcpy3DOperand& operand) {
  if (operand.type != CU_MEMCPY_OPERAND_TYPE_ARRAY) return 0;
  const Array* const array = Array::From(operand.op.array.array);
  return array != nullptr ? array->layout().element_bytes : 0;
}

CUresult ConvertOp(const CUDA_MEMCPY3D_BATCH_OP& op, BatchCopy* entry) {
  const size_t from = ElementBytes(op.src);
  const size_t to = ElementBytes(op.dst);
  SIMGPU_REQUIRE(from == 0 || to == 0 || from == to, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(op.extent.width != 0 && op.extent.height != 0 && op.extent.depth != 0,
                 CUDA_ERROR_INVALID_VALUE);
  const size_t element = from != 0 ? from : to != 0 ? to : 1;
  CUDA_MEMCPY3D& copy = entry->copy;
  copy = {};
  copy.WidthInBytes = op.extent.width * element;
  copy.Height = op.extent.height;
  copy.Depth = op.extent.depth;
  if (op.src.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    const auto& side = op.src.op.array;
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = side.array;
    copy.srcXInBytes = side.offset.x * element;
    copy.srcY = side.offset.y;
    copy.srcZ = side.offset.z;
  } else {
    const auto& side = op.src.op.ptr;
    SIMGPU_REQUIRE(op.src.type == CU_MEMCPY_OPERAND_TYPE_POINTER, CUDA_ERROR_INVALID_VALUE);
    copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = side.ptr;
    copy.srcPitch = side.rowLength * element;
    copy.srcHeight = side.layerHeight;
  }
  if (op.dst.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    const auto& side = op.dst.op.array;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = side.array;
    copy.dstXInBytes = side.offset.x * element;
    copy.dstY = side.offset.y;
    copy.dstZ = side.offset.z;
  } else {
    const auto& side = op.dst.op.ptr;
    SIMGPU_REQUIRE(op.dst.type == CU_MEMCPY_OPERAND_TYPE_POINTER, CUDA_ERROR_INVALID_VALUE);
    copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.dstDevice = side.ptr;
    copy.dstPitch = side.rowLength * element;
    copy.dstHeight = side.layerHeight;
  }
  entry->order = op.srcAccessOrder;
  return CUDA_SUCCESS;
}

// One-dimensional batches.
struct Runs {
  const CUdeviceptr* dsts;
  const CUdeviceptr* srcs;
  const size_t* sizes;
  size_t count;
  Attributes attributes;
};

CUresult CopyRuns(const Runs& runs, size_t* failed, CUstream stream, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  if (failed != nullptr) *failed = SIZE_MAX;
  SIMGPU_REQUIRE(runs.dsts != nullptr && runs.srcs != nullptr && runs.sizes != nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(runs.attributes.Check(runs.count));
  const auto entry = [&runs](size_t i, BatchCopy* copy) {
    SIMGPU_REQUIRE(runs.sizes[i] != 0, CUDA_ERROR_INVALID_VALUE);
    copy->copy = LinearCopy(CU_MEMORYTYPE_UNIFIED, runs.dsts[i], CU_MEMORYTYPE_UNIFIED,
                            runs.srcs[i], runs.sizes[i]);
    copy->order = runs.attributes.Of(i).srcAccessOrder;
    return CUDA_SUCCESS;
  };
  return CopyBatch(runs.count, entry, failed, stream, mode);
}

CUresult CopyRegions(size_t count, const CUDA_MEMCPY3D_BATCH_OP* ops, size_t* failed,
                     CUstream stream, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  if (failed != nullptr) *failed = SIZE_MAX;
  SIMGPU_REQUIRE(ops != nullptr, CUDA_ERROR_INVALID_VALUE);
  const auto entry = [ops](size_t i, BatchCopy* copy) { return ConvertOp(ops[i], copy); };
  return CopyBatch(count, entry, failed, stream, mode);
}

}  // namespace

CUresult CopyBatch(size_t count, const BatchEntry& entry, size_t* failed, CUstream stream,
                   DefaultStream mode) {
  SIMGPU_REQUIRE(count != 0 && !NamesLegacyStream(stream, mode), CUDA_ERROR_INVALID_VALUE);
  std::vector<BatchCopy> copies;  // no room ahead: the count may be absurd
  for (size_t i = 0; i < count; i++) {
    CopyPlan plan;
    BatchCopy& copy = copies.emplace_back();
    CUresult result = entry(i, &copy);
    if (result == CUDA_SUCCESS && !IsOrder(copy.order)) result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) result = PlanCopy(copy.copy, &plan);
    if (result == CUDA_SUCCESS) continue;
    if (failed != nullptr) *failed = i;
    return result;
  }
  for (const BatchCopy& copy : copies) {
    const bool during_call = copy.order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    SIMGPU_TRY(CopyInStream(copy.copy, stream, mode,
                            during_call ? SourceUse::kDuringCall : SourceUse::kInStreamOrder));
  }
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                          size_t count, CUmemcpyAttributes* attrs,
                                          size_t* attr_starts, size_t num_attrs, size_t* failed,
                                          CUstream stream) {
  return CopyRuns({dsts, srcs, sizes, count, {attrs, attr_starts, num_attrs}}, failed, stream,
                  DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                               size_t count, CUmemcpyAttributes* attrs,
                                               size_t* attr_starts, size_t num_attrs,
                                               size_t* failed, CUstream stream) {
  return CopyRuns({dsts, srcs, sizes, count, {attrs, attr_starts, num_attrs}}, failed, stream,
                  DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                             size_t count, CUmemcpyAttributes* attrs,
                                             size_t* attr_starts, size_t num_attrs,
                                             CUstream stream) {
  return CopyRuns({dsts, srcs, sizes, count, {attrs, attr_starts, num_attrs}}, nullptr, stream,
                  DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs,
                                                  size_t* sizes, size_t count,
                                                  CUmemcpyAttributes* attrs, size_t* attr_starts,
                                                  size_t num_attrs, CUstream stream) {
  return CopyRuns({dsts, srcs, sizes, count, {attrs, attr_starts, num_attrs}}, nullptr, stream,
                  DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                            size_t* failed, unsigned long long flags,
                                            CUstream stream) {
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return CopyRegions(count, ops, failed, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync_ptsz(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                                 size_t* failed, unsigned long long flags,
                                                 CUstream stream) {
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return CopyRegions(count, ops, failed, stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                               unsigned long long flags, CUstream stream) {
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return CopyRegions(count, ops, nullptr, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync_v2_ptsz(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                                    unsigned long long flags, CUstream stream) {
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return CopyRegions(count, ops, nullptr, stream, DefaultStream::kPerThread);
}
