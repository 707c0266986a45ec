#include "few_functions.h"

#include <string.h>

#include "abi/driver/cuda_types.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_library.h"

namespace warpshare::testing {

int g_current_device = 0;

namespace {

CUresult FakeGetUuid(CUuuid* uuid, CUdevice device) {
  const auto& bytes = device == 0 ? kUuidB : kUuidA;
  memcpy(uuid->bytes, bytes.data(), bytes.size());
  if (device == 2) uuid->bytes[15] = 99;
  return CUDA_SUCCESS;
}
CUresult FakeGetCount(int* count) {
  *count = 3;
  return CUDA_SUCCESS;
}
CUresult FakeGetDevice(CUdevice* device) {
  *device = g_current_device;
  return g_current_device < 0 ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

}  // namespace
}  // namespace warpshare::testing

extern "C" {
void* warpshare_cuda_slots[warpshare::abi::kCudaEntryCount] = {};
}

namespace warpshare::interposer {

void* ResolveCuda(abi::CudaIndex index) {
  switch (index) {
    case abi::CudaIndex::cuCtxGetDevice:
      return reinterpret_cast<void*>(&testing::FakeGetDevice);
    case abi::CudaIndex::cuDeviceGetCount:
      return reinterpret_cast<void*>(&testing::FakeGetCount);
    default:
      return reinterpret_cast<void*>(&testing::FakeGetUuid);
  }
}
DriverLibrary FindDriver(const char*) { return {.handle = nullptr, .is_copy = false}; }

}  // namespace warpshare::interposer
