// Managed memory moved ahead of its use, and decompression.
#include "interposer/dispatch/driver.h"
#include "interposer/entry/submit.h"

using namespace warpshare::interposer;

namespace {

Work Decompressed(const CUmemDecompressParams* parts, size_t count) {
  size_t bytes = 0;
  for (size_t i = 0; parts != nullptr && i < count; ++i) bytes += parts[i].dstNumBytes;
  return CardBytes(bytes);
}

}  // namespace

SUBMIT(cuMemPrefetchAsync, _ptsz, HostBytes(count),
       (CUdeviceptr from, size_t count, CUdevice device, CUstream stream), from, count, device,
       stream)

SUBMIT(cuMemPrefetchAsync_v2, _ptsz, HostBytes(count),
       (CUdeviceptr from, size_t count, CUmemLocation location, unsigned int flags,
        CUstream stream),
       from, count, location, flags, stream)

SUBMIT(cuMemPrefetchBatchAsync, _ptsz, HostBytes(Sum(sizes, count)),
       (CUdeviceptr * pointers, size_t* sizes, size_t count, CUmemLocation* locations,
        size_t* location_starts, size_t location_count, unsigned long long flags, CUstream stream),
       pointers, sizes, count, locations, location_starts, location_count, flags, stream)

SUBMIT(cuMemDiscardAndPrefetchBatchAsync, _ptsz, HostBytes(Sum(sizes, count)),
       (CUdeviceptr * pointers, size_t* sizes, size_t count, CUmemLocation* locations,
        size_t* location_starts, size_t location_count, unsigned long long flags, CUstream stream),
       pointers, sizes, count, locations, location_starts, location_count, flags, stream)

SUBMIT(cuMemBatchDecompressAsync, _ptsz, Decompressed(parts, count),
       (CUmemDecompressParams * parts, size_t count, unsigned int flags, size_t* failed,
        CUstream stream),
       parts, count, flags, failed, stream)
