#include "tenant_program/driver_calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

namespace warpshare::testing {

namespace {

using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t);
using GetProcAddressV2 = CUresult (*)(const char*, void**, int, cuuint64_t,
                                      CUdriverProcAddressQueryResult*);

// How a name is turned into an address; `symbol` is the exported one, `name` what cuGetProcAddress
// is asked for.
struct Route {
  void* library = nullptr;
  GetProcAddress look_up = nullptr;
  GetProcAddressV2 look_up_v2 = nullptr;

  void* Find(const char* symbol, const char* name) const {
    void* function = nullptr;
    if (look_up_v2 != nullptr) {
      CUdriverProcAddressQueryResult status;
      look_up_v2(name, &function, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT, &status);
    } else if (look_up != nullptr) {
      look_up(name, &function, 11040, CU_GET_PROC_ADDRESS_DEFAULT);
    } else {
      function = dlsym(library, symbol);
    }
    return function;
  }
};

bool OpenRoute(const char* name, Route& route) {
  int mode = RTLD_NOW | RTLD_GLOBAL;
  if (strcmp(name, "local") == 0) mode = RTLD_NOW | RTLD_LOCAL;
  if (strcmp(name, "deepbind") == 0) mode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
  route.library = strcmp(name, "linked") == 0 ? RTLD_DEFAULT : dlopen("libcuda.so.1", mode);
  if (route.library == nullptr && strcmp(name, "linked") != 0) {
    printf("dlopen: %s\n", dlerror());
    return false;
  }
  if (strcmp(name, "lookup1") == 0) {
    route.look_up = reinterpret_cast<GetProcAddress>(dlsym(route.library, "cuGetProcAddress"));
  }
  if (strcmp(name, "lookup2") == 0) {
    route.look_up_v2 =
        reinterpret_cast<GetProcAddressV2>(dlsym(route.library, "cuGetProcAddress_v2"));
  }
  return true;
}

template <typename Function>
bool Bind(const Route& route, const char* symbol, const char* name, Function& function) {
  function = reinterpret_cast<Function>(route.Find(symbol, name));
  if (function == nullptr) printf("not found: %s\n", symbol);
  return function != nullptr;
}

}  // namespace

bool FindDriverCalls(const char* route_name, DriverCalls& calls) {
  Route route;
  return OpenRoute(route_name, route) &&  //
         Bind(route, "cuInit", "cuInit", calls.Init) &&
         Bind(route, "cuDeviceGetCount", "cuDeviceGetCount", calls.DeviceGetCount) &&
         Bind(route, "cuDeviceGet", "cuDeviceGet", calls.DeviceGet) &&
         Bind(route, "cuDeviceGetUuid", "cuDeviceGetUuid", calls.DeviceGetUuid) &&
         Bind(route, "cuDeviceTotalMem_v2", "cuDeviceTotalMem", calls.DeviceTotalMem) &&
         Bind(route, "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain",
              calls.PrimaryCtxRetain) &&
         Bind(route, "cuCtxSetCurrent", "cuCtxSetCurrent", calls.CtxSetCurrent) &&
         Bind(route, "cuMemAlloc_v2", "cuMemAlloc", calls.MemAlloc) &&
         Bind(route, "cuMemFree_v2", "cuMemFree", calls.MemFree) &&
         Bind(route, "cuMemGetInfo_v2", "cuMemGetInfo", calls.MemGetInfo) &&
         Bind(route, "cuMemCreate", "cuMemCreate", calls.MemCreate) &&
         Bind(route, "cuModuleLoadData", "cuModuleLoadData", calls.ModuleLoadData) &&
         Bind(route, "cuModuleGetFunction", "cuModuleGetFunction", calls.ModuleGetFunction) &&
         Bind(route, "cuLaunchKernel", "cuLaunchKernel", calls.LaunchKernel);
}

}  // namespace warpshare::testing
