#include <vector>

#include "tests/patterns/patterns.h"

namespace warpshare::patterns {

size_t FreeBytes(const Tenant& tenant) {
  size_t free = 0, total = 0;
  return tenant.api.cuMemGetInfo(&free, &total) == CUDA_SUCCESS ? free : 0;
}

std::string Describe(const char* expression, CUresult got, CUresult wanted, int line) {
  return std::string(expression) + " gave " + std::to_string(got) + ", wanted " +
         std::to_string(wanted) + ", line " + std::to_string(line);
}

// Small and large segments in turn until one is refused; then one is returned and the same size
// fits again, as a caching allocator relies on after it has emptied its cache.
Outcome CachingAllocator(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  const size_t budget = tenant.limited ? SIZE_MAX : 512 * kMiB;
  std::vector<CUdeviceptr> segments;
  size_t held = 0;
  CUresult result = CUDA_SUCCESS;
  while (held < budget) {
    const size_t bytes = segments.size() % 2 == 0 ? 2 * kMiB : 20 * kMiB;
    CUdeviceptr segment = 0;
    result = api.cuMemAlloc(&segment, bytes);
    if (result != CUDA_SUCCESS) break;
    segments.push_back(segment);
    held += bytes;
  }
  if (tenant.limited) {
    WANT(CUDA_ERROR_OUT_OF_MEMORY, result);
    WANT_OK(api.cuMemFree(segments[1]));
    WANT_OK(api.cuMemAlloc(&segments[1], 20 * kMiB));
  }
  for (const CUdeviceptr segment : segments) WANT_OK(api.cuMemFree(segment));
  return {};
}

Outcome EveryByteOfTheLimit(Tenant& tenant) {
  if (!tenant.limited) return {};
  const DriverApi& api = tenant.api;
  const size_t free = FreeBytes(tenant);
  CUdeviceptr all = 0, more = 0x5eed;
  WANT(CUDA_ERROR_OUT_OF_MEMORY, api.cuMemAlloc(&more, free + 1));
  WANT_TRUE(more == 0x5eed);
  WANT_OK(api.cuMemAlloc(&all, free));
  WANT_TRUE(FreeBytes(tenant) == 0);
  WANT(CUDA_ERROR_OUT_OF_MEMORY, api.cuMemAlloc(&more, 1));
  WANT_OK(api.cuMemFree(all));
  WANT_OK(api.cuMemAlloc(&all, free));
  WANT_OK(api.cuMemFree(all));
  return {};
}

Outcome PitchedManagedAndArrays(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  CUdeviceptr pitched = 0, managed = 0;
  size_t pitch = 0;
  WANT_OK(api.cuMemAllocPitch(&pitched, &pitch, 1000, 700, 4));
  WANT_TRUE(pitch >= 1000);
  WANT_OK(api.cuMemAllocManaged(&managed, 3 * kMiB, CU_MEM_ATTACH_GLOBAL));
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  descriptor.Width = 256;
  descriptor.Height = 128;
  descriptor.Depth = 4;
  descriptor.Format = CU_AD_FORMAT_FLOAT;
  descriptor.NumChannels = 4;
  CUarray array = nullptr;
  WANT_OK(api.cuArray3DCreate(&array, &descriptor));
  WANT_OK(api.cuArrayDestroy(array));
  WANT_OK(api.cuMemFree(managed));
  WANT_OK(api.cuMemFree(pitched));
  return {};
}

Outcome DataSurvivesARoundTrip(Tenant& tenant) {
  const DriverApi& api = tenant.api;
  std::vector<unsigned char> out(3 * kMiB + 17), back(out.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(i * 131 >> 3);
  CUdeviceptr device = 0;
  WANT_OK(api.cuMemAlloc(&device, out.size()));
  WANT_OK(api.cuMemcpyHtoD(device, out.data(), out.size()));
  WANT_OK(api.cuMemcpyDtoH(back.data(), device, back.size()));
  WANT_TRUE(out == back);
  CUdeviceptr base = 0;
  size_t size = 0;
  WANT_OK(api.cuMemGetAddressRange(&base, &size, device + 12345));
  WANT_TRUE(base == device && size >= out.size());
  WANT_OK(api.cuMemFree(device));
  return {};
}

}  // namespace warpshare::patterns
