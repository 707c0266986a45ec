// A driver whose card is divided: it shows one device, by the uuid of a part, and only to a program
// whose CUDA_VISIBLE_DEVICES asks for just that part, FAKE_MIG ("MIG-" and a uuid). Its old
// function for uuids knows the whole card alone, as NVIDIA's does.
#include <stdlib.h>
#include <string.h>

#include "abi/driver/cuda_context.h"
#include "abi/driver/cuda_launch.h"
#include "abi/driver/cuda_memory.h"

namespace {

const char* Variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

bool g_is_shown = false;

bool IsAskedFor() {
  const char* part = Variable("FAKE_MIG");
  return *part != '\0' && strcmp(Variable("CUDA_VISIBLE_DEVICES"), part) == 0;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned int) {
  g_is_shown = g_is_shown || IsAskedFor();
  return g_is_shown ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  *count = g_is_shown ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
  memset(uuid, 0xee, sizeof(*uuid));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice) {
  const char* text = Variable("FAKE_MIG") + strlen("MIG-");
  for (char& byte : uuid->bytes) {
    if (*text == '-') ++text;
    const char digits[] = {text[0], text[1], '\0'};
    byte = static_cast<char>(strtoul(digits, nullptr, 16));
    text += 2;
  }
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) {
  *bytes = size_t{5} << 30;
  return CUDA_SUCCESS;
}

// What the tenant program looks for and does not call here.
CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemAlloc_v2(CUdeviceptr*, size_t) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemFree_v2(CUdeviceptr) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuMemGetInfo_v2(size_t*, size_t*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuModuleLoadData(CUmodule*, const void*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void**, void**) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
}
