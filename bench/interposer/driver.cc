#include "bench/interposer/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

namespace warpshare::bench {

namespace {

template <typename Function>
void Bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function != nullptr) return;
  fprintf(stderr, "the driver has no %s\n", symbol);
  exit(1);
}

}  // namespace

Driver OpenDriver(const std::string& folder) {
  void* library = dlopen((folder + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  Driver driver{};
  Bind(library, "cuInit", driver.Init);
  Bind(library, "cuDeviceGetCount", driver.DeviceGetCount);
  Bind(library, "cuDeviceGetUuid", driver.DeviceGetUuid);
  Bind(library, "cuDevicePrimaryCtxRetain", driver.PrimaryCtxRetain);
  Bind(library, "cuCtxSetCurrent", driver.CtxSetCurrent);
  Bind(library, "cuCtxGetDevice", driver.CtxGetDevice);
  Bind(library, "cuCtxSynchronize", driver.CtxSynchronize);
  Bind(library, "cuMemAlloc_v2", driver.MemAlloc);
  Bind(library, "cuMemFree_v2", driver.MemFree);
  Bind(library, "cuMemAllocPitch_v2", driver.MemAllocPitch);
  Bind(library, "cuMemAllocAsync", driver.MemAllocAsync);
  Bind(library, "cuMemFreeAsync", driver.MemFreeAsync);
  Bind(library, "cuDeviceGetDefaultMemPool", driver.GetDefaultMemPool);
  Bind(library, "cuMemPoolSetAttribute", driver.MemPoolSetAttribute);
  Bind(library, "cuMemCreate", driver.MemCreate);
  Bind(library, "cuMemRelease", driver.MemRelease);
  Bind(library, "cuArrayCreate_v2", driver.ArrayCreate);
  Bind(library, "cuArrayDestroy", driver.ArrayDestroy);
  Bind(library, "cuMemGetInfo_v2", driver.MemGetInfo);
  Bind(library, "cuModuleLoadData", driver.ModuleLoadData);
  Bind(library, "cuModuleGetFunction", driver.ModuleGetFunction);
  Bind(library, "cuLaunchKernel", driver.LaunchKernel);
  driver.displacing_ns = static_cast<const double*>(dlsym(library, "bench_displacing_ns"));
  return driver;
}

void Check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", what, result);
  exit(1);
}

}  // namespace warpshare::bench
