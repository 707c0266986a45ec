// A driver of one card that answers at once and tells which of its functions were called. Arrays
// and rows take what their elements do; a pool holds 32 MiB, whatever is done to it.
#include <atomic>
#include <mutex>
#include <string>

#include "abi/driver/cuda_types.h"

namespace {

int g_context;
int g_pools[2];
std::atomic<int> g_current_pool{0};
std::atomic<CUdeviceptr> g_next{0x700000000000};

std::mutex g_mutex;
std::string g_calls;

void Note(const char* name) {
  const std::lock_guard guard(g_mutex);
  if (!g_calls.empty()) g_calls += ' ';
  g_calls += name;
}

template <typename Handle>
CUresult Give(const char* name, Handle* handle) {
  Note(name);
  *handle = reinterpret_cast<Handle>(g_next.fetch_add(4096));
  return CUDA_SUCCESS;
}

size_t g_last_array_bytes = 0;

}  // namespace

extern "C" {

// The calls since it was last asked, by name. Valid until then.
const char* TellCalls() {
  static std::string told;
  const std::lock_guard guard(g_mutex);
  told.clear();
  told.swap(g_calls);
  return told.c_str();
}

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice) {
  *uuid = {};
  uuid->bytes[0] = 1;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  Note("cuCtxGetCurrent");
  *context = reinterpret_cast<CUcontext>(&g_context);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  Note("cuCtxGetDevice");
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream, CUcontext* context) {
  Note("cuStreamGetCtx");
  *context = reinterpret_cast<CUcontext>(&g_context);
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  Note("cuStreamIsCapturing");
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t) {
  Note("cuMemAlloc_v2");
  *pointer = g_next.fetch_add(4096);
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr) {
  Note("cuMemFree_v2");
  return CUDA_SUCCESS;
}
CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t, unsigned) {
  Note("cuMemAllocPitch_v2");
  *pointer = g_next.fetch_add(4096);
  *pitch = (width + 511) / 512 * 512;
  return CUDA_SUCCESS;
}

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR*) {
  return Give("cuArrayCreate_v2", array);
}
CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  const size_t rows = descriptor->Height == 0 ? 1 : descriptor->Height;
  g_last_array_bytes = descriptor->Width * rows * descriptor->NumChannels * sizeof(float);
  return Give("cuArray3DCreate_v2", array);
}
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements, CUarray,
                                      CUdevice) {
  Note("cuArrayGetMemoryRequirements");
  requirements->size = g_last_array_bytes;
  return CUDA_SUCCESS;
}
CUresult cuArrayDestroy(CUarray) {
  Note("cuArrayDestroy");
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice) {
  Note("cuDeviceGetDefaultMemPool");
  *pool = reinterpret_cast<CUmemoryPool>(&g_pools[0]);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice) {
  Note("cuDeviceGetMemPool");
  *pool = reinterpret_cast<CUmemoryPool>(&g_pools[g_current_pool]);
  return CUDA_SUCCESS;
}
CUresult cuDeviceSetMemPool(CUdevice, CUmemoryPool pool) {
  Note("cuDeviceSetMemPool");
  g_current_pool = pool == reinterpret_cast<CUmemoryPool>(&g_pools[1]) ? 1 : 0;
  return CUDA_SUCCESS;
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps*) {
  Note("cuMemPoolCreate");
  *pool = reinterpret_cast<CUmemoryPool>(&g_pools[1]);
  return CUDA_SUCCESS;
}
CUresult cuMemPoolGetAttribute(CUmemoryPool, CUmemPool_attribute, void* value) {
  Note("cuMemPoolGetAttribute");
  *static_cast<cuuint64_t*>(value) = cuuint64_t{32} << 20;
  return CUDA_SUCCESS;
}
CUresult cuMemPoolTrimTo(CUmemoryPool, size_t) {
  Note("cuMemPoolTrimTo");
  return CUDA_SUCCESS;
}
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t, CUstream) {
  Note("cuMemAllocAsync");
  *pointer = g_next.fetch_add(4096);
  return CUDA_SUCCESS;
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool,
                                 CUstream stream) {
  return cuMemAllocAsync(pointer, bytes, stream);
}
CUresult cuMemFreeAsync(CUdeviceptr, CUstream) {
  Note("cuMemFreeAsync");
  return CUDA_SUCCESS;
}

}  // extern "C"
