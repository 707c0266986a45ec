#include "tests/patterns/driver_api.h"

#include <dlfcn.h>

#include <cstdio>

namespace warpshare::patterns {

namespace {

template <typename Function>
bool Find(const DriverApi& api, Function& function, const char* name, int version) {
  void* address = nullptr;
  CUdriverProcAddressQueryResult status{};
  const CUresult result = api.lookup(name, &address, version, CU_GET_PROC_ADDRESS_DEFAULT, &status);
  if (result != CUDA_SUCCESS || address == nullptr) {
    std::fprintf(stderr, "the driver has no %s of version %d (result %d, status %d)\n", name,
                 version, result, status);
    return false;
  }
  function = reinterpret_cast<Function>(address);
  return true;
}

}  // namespace

bool LoadDriver(DriverApi& api) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  api.lookup = reinterpret_cast<decltype(api.lookup)>(dlsym(library, "cuGetProcAddress_v2"));
  if (api.lookup == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  bool complete = true;
#define FIND(name, version, parameters) complete &= Find(api, api.name, #name, version);
  PATTERN_FUNCTIONS(FIND)
#undef FIND
  return complete;
}

}  // namespace warpshare::patterns
