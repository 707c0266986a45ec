// Prefetch and discard of managed memory, one range or a batch. The memory stays where it is; the
// stream spends the time of the copy that a prefetch would be.
#include <cstddef>

#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/pointer/managed.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {
namespace {

CUresult ResolveUncaptured(CUstream handle, DefaultStream mode, Stream** stream) {
  SIMGPU_TRY(Stream::Resolve(handle, mode, stream));
  SIMGPU_REQUIRE(!(*stream)->capturing(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return CUDA_SUCCESS;
}

CUresult PrefetchInto(Stream& stream, CUdeviceptr pointer, size_t count,
                      const CUmemLocation& location) {
  SIMGPU_TRY(NotePrefetch(pointer, count, location));
  const CopyRoute route = location.type == CU_MEM_LOCATION_TYPE_DEVICE ? CopyRoute::kHostToDevice
                                                                       : CopyRoute::kDeviceToHost;
  return stream.Enqueue(Op::Copy(route, count, [] {}));
}

CUresult Prefetch(CUdeviceptr pointer, size_t count, const CUmemLocation& location, CUstream handle,
                  DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveUncaptured(handle, mode, &stream));
  return PrefetchInto(*stream, pointer, count, location);
}

// The legacy default stream takes no batches.
CUresult ResolveForBatch(CUstream handle, DefaultStream mode, Stream** stream) {
  const bool legacy =
      handle == CU_STREAM_LEGACY || (handle == nullptr && mode == DefaultStream::kLegacy);
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(!legacy, CUDA_ERROR_INVALID_VALUE);
  return ResolveUncaptured(handle, mode, stream);
}

struct Ranges {
  const CUdeviceptr* pointers;
  const size_t* sizes;
  size_t count;

  CUresult Check() const {
    SIMGPU_REQUIRE(pointers != nullptr && sizes != nullptr && count != 0, CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) SIMGPU_TRY(CheckManaged(pointers[i], sizes[i]));
    return CUDA_SUCCESS;
  }
};

// Which location each range of a batch goes to: locations[k] from starts[k] on.
struct Targets {
  const CUmemLocation* locations;
  const size_t* starts;
  size_t count;

  CUresult Check(size_t ranges) const {
    SIMGPU_REQUIRE(locations != nullptr && starts != nullptr && count != 0 && count <= ranges,
                   CUDA_ERROR_INVALID_VALUE);
    SIMGPU_REQUIRE(starts[0] == 0 && starts[count - 1] < ranges, CUDA_ERROR_INVALID_VALUE);
    for (size_t k = 1; k < count; k++) {
      SIMGPU_REQUIRE(starts[k - 1] < starts[k], CUDA_ERROR_INVALID_VALUE);
    }
    return CUDA_SUCCESS;
  }
};

CUresult PrefetchBatch(const Ranges& ranges, const Targets& targets, unsigned long long flags,
                       CUstream handle, DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveForBatch(handle, mode, &stream));
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(ranges.Check());
  SIMGPU_TRY(targets.Check(ranges.count));
  size_t k = 0;
  for (size_t i = 0; i < ranges.count; i++) {
    if (k + 1 < targets.count && targets.starts[k + 1] == i) k++;
    SIMGPU_TRY(PrefetchInto(*stream, ranges.pointers[i], ranges.sizes[i], targets.locations[k]));
  }
  return CUDA_SUCCESS;
}

// What a discarded range reads as is undefined: it keeps what it held.
CUresult DiscardBatch(const Ranges& ranges, unsigned long long flags, CUstream handle,
                      DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveForBatch(handle, mode, &stream));
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return ranges.Check();
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t count, CUdevice dst,
                                          CUstream stream) {
  return Prefetch(pointer, count, LocationOf(dst), stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr pointer, size_t count, CUdevice dst,
                                               CUstream stream) {
  return Prefetch(pointer, count, LocationOf(dst), stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t count,
                                             CUmemLocation location, unsigned flags,
                                             CUstream stream) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return Prefetch(pointer, count, location, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr pointer, size_t count,
                                                  CUmemLocation location, unsigned flags,
                                                  CUstream stream) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return Prefetch(pointer, count, location, stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                               CUmemLocation* locations, size_t* location_starts,
                                               size_t num_locations, unsigned long long flags,
                                               CUstream stream) {
  return PrefetchBatch({pointers, sizes, count}, {locations, location_starts, num_locations}, flags,
                       stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemPrefetchBatchAsync_ptsz(CUdeviceptr* pointers, size_t* sizes,
                                                    size_t count, CUmemLocation* locations,
                                                    size_t* location_starts, size_t num_locations,
                                                    unsigned long long flags, CUstream stream) {
  return PrefetchBatch({pointers, sizes, count}, {locations, location_starts, num_locations}, flags,
                       stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                              unsigned long long flags, CUstream stream) {
  return DiscardBatch({pointers, sizes, count}, flags, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemDiscardBatchAsync_ptsz(CUdeviceptr* pointers, size_t* sizes,
                                                   size_t count, unsigned long long flags,
                                                   CUstream stream) {
  return DiscardBatch({pointers, sizes, count}, flags, stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemDiscardAndPrefetchBatchAsync(
    CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* locations,
    size_t* location_starts, size_t num_locations, unsigned long long flags, CUstream stream) {
  return PrefetchBatch({pointers, sizes, count}, {locations, location_starts, num_locations}, flags,
                       stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemDiscardAndPrefetchBatchAsync_ptsz(
    CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* locations,
    size_t* location_starts, size_t num_locations, unsigned long long flags, CUstream stream) {
  return PrefetchBatch({pointers, sizes, count}, {locations, location_starts, num_locations}, flags,
                       stream, DefaultStream::kPerThread);
}
