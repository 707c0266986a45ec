// A driver that answers at once: two cards, one context, pointers that count up. Where it is the
// driver, the difference between a hooked call and a bare one is the interposer alone, to about a
// nanosecond, which on any driver that does something is lost in its noise. The cold driver is the
// same, but displaces what the caller has in the first-level caches (displace.h).
#include "abi/driver/cuda_types.h"
#include "bench/interposer/displace.h"

namespace {

constexpr CUdeviceptr kFirst = 0x700000000000;
constexpr size_t kLiveAtMost = 1 << 18;

// As a real allocator does, what was freed last is given first.
CUdeviceptr g_free[kLiveAtMost];
size_t g_free_count = 0;
size_t g_given = 0;
int g_context;

using warpshare::bench::Displace;

}  // namespace

extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }

CUresult cuDeviceGetCount(int* count) {
  *count = 2;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  *uuid = {};
  uuid->bytes[0] = static_cast<char>(device + 1);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&g_context);
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }
CUresult cuCtxGetCurrent(CUcontext* context) { return cuDevicePrimaryCtxRetain(context, 0); }
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  *total_bytes = size_t{40} << 30;
  *free_bytes = *total_bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t) {
  Displace();
  if (g_free_count > 0) {
    *pointer = g_free[--g_free_count];
  } else if (g_given < kLiveAtMost) {
    *pointer = kFirst + 4096 * g_given++;
  } else {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  Displace();
  g_free[g_free_count++] = pointer;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t,
                            unsigned int) {
  *pitch = (width + 511) / 512 * 512;
  return cuMemAlloc_v2(pointer, 0);
}

// The pool has one lump, of which everything comes.
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice) {
  *pool = reinterpret_cast<CUmemoryPool>(&g_context);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return cuDeviceGetDefaultMemPool(pool, device);
}
CUresult cuMemPoolSetAttribute(CUmemoryPool, CUmemPool_attribute, void*) { return CUDA_SUCCESS; }
CUresult cuMemPoolGetAttribute(CUmemoryPool, CUmemPool_attribute, void* value) {
  *static_cast<cuuint64_t*>(value) = cuuint64_t{32} << 20;
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream) {
  return cuMemAlloc_v2(pointer, bytes);
}
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream) { return cuMemFree_v2(pointer); }

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes, const CUmemAllocationProp*,
                     unsigned long long) {
  return cuMemAlloc_v2(handle, bytes);
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) { return cuMemFree_v2(handle); }

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR*) {
  CUdeviceptr pointer = 0;
  const CUresult result = cuMemAlloc_v2(&pointer, 0);
  *array = reinterpret_cast<CUarray>(pointer);
  return result;
}
CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR*) {
  return cuArrayCreate_v2(array, nullptr);
}
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements, CUarray,
                                      CUdevice) {
  requirements->size = 4096;
  return CUDA_SUCCESS;
}
CUresult cuArrayDestroy(CUarray array) {
  return cuMemFree_v2(reinterpret_cast<CUdeviceptr>(array));
}

// Kernels take less than it takes to launch one, so a tenant that shares GPU time never waits for
// one; and more than nothing, which would be timed again and again.
CUresult cuStreamGetCtx(CUstream, CUcontext* context) { return cuCtxGetCurrent(context); }
CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(&g_context);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent, CUstream) { return CUDA_SUCCESS; }
CUresult cuEventQuery(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 0.00002F;
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule* module, const void*) {
  *module = reinterpret_cast<CUmodule>(&g_context);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) {
  *function = reinterpret_cast<CUfunction>(&g_context);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void**, void**) {
  Displace();
  return CUDA_SUCCESS;
}

}  // extern "C"
