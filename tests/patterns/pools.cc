#include <vector>

#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

namespace {

// Takes pieces of 8 MiB from the stream's pool until refused, or `most` of them.
CUresult Fill(const DriverApi& api, CUstream stream, size_t most,
              std::vector<CUdeviceptr>& pieces) {
  while (pieces.size() < most) {
    CUdeviceptr piece = 0;
    const CUresult result = api.cuMemAllocAsync(&piece, 8 * kMiB, stream);
    if (result != CUDA_SUCCESS) return result;
    pieces.push_back(piece);
  }
  return CUDA_SUCCESS;
}

}  // namespace

// As PyTorch's cudaMallocAsync backend: the default pool keeps everything, then is trimmed.
Outcome DefaultPoolWithThreshold(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUmemoryPool pool = nullptr;
  WANT_OK(api.cuDeviceGetDefaultMemPool(&pool, tenant.device));
  cuuint64_t keep_all = UINT64_MAX;
  WANT_OK(api.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep_all));
  CUstream stream = nullptr;
  WANT_OK(api.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));

  std::vector<CUdeviceptr> pieces;
  const CUresult result = Fill(api, stream, tenant.limited ? SIZE_MAX : 16, pieces);
  if (tenant.limited) WANT(CUDA_ERROR_OUT_OF_MEMORY, result);
  WANT_TRUE(!pieces.empty());
  const size_t filled = FreeBytes(tenant);
  for (const CUdeviceptr piece : pieces) WANT_OK(api.cuMemFreeAsync(piece, stream));
  WANT_OK(api.cuStreamSynchronize(stream));
  // Kept, so still charged: at most a last step of the pool, charged ahead of its growth, is free.
  if (tenant.limited) WANT_TRUE(FreeBytes(tenant) < filled + 32 * kMiB);

  // What the pool keeps serves the next requests, although nothing more would fit.
  std::vector<CUdeviceptr> again;
  WANT_OK(Fill(api, stream, pieces.size(), again));
  for (const CUdeviceptr piece : again) WANT_OK(api.cuMemFreeAsync(piece, stream));
  WANT_OK(api.cuStreamSynchronize(stream));

  cuuint64_t keep_none = 0;
  WANT_OK(api.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep_none));
  WANT_OK(api.cuMemPoolTrimTo(pool, 0));
  cuuint64_t reserved = 1;
  WANT_OK(api.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
  WANT_TRUE(reserved == 0);
  WANT_OK(api.cuStreamDestroy(stream));
  return {};
}

Outcome PoolOfItsOwn(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, tenant.device};
  CUmemoryPool pool = nullptr;
  WANT_OK(api.cuMemPoolCreate(&pool, &properties));
  CUstream stream = nullptr;
  WANT_OK(api.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
  CUdeviceptr first = 0, second = 0;
  WANT_OK(api.cuMemAllocFromPoolAsync(&first, 40 * kMiB, pool, stream));
  WANT_OK(api.cuMemAllocFromPoolAsync(&second, 3 * kMiB, pool, stream));
  WANT_OK(api.cuMemsetD8Async(second, 7, 3 * kMiB, stream));
  WANT_OK(api.cuStreamSynchronize(stream));
  unsigned char byte = 0;
  WANT_OK(api.cuMemcpyDtoH(&byte, second + 3 * kMiB - 1, 1));
  WANT_TRUE(byte == 7);
  // Each allocation may be returned the other family's way.
  WANT_OK(api.cuMemFree(first));
  WANT_OK(api.cuMemFreeAsync(second, stream));
  WANT_OK(api.cuStreamSynchronize(stream));
  WANT_OK(api.cuMemPoolDestroy(pool));
  WANT_OK(api.cuStreamDestroy(stream));
  return {};
}

}  // namespace warpshare::patterns
