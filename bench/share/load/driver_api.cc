#include "bench/share/load/driver_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

namespace warpshare::load {

namespace {

template <typename Function>
void Bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function != nullptr) return;
  fprintf(stderr, "%s: the driver has no %s\n", program_invocation_short_name, symbol);
  _exit(1);
}

}  // namespace

Driver OpenDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, dlerror());
    _exit(1);
  }
  Driver driver;
#define BIND(member, symbol, parameters) Bind(library, #symbol, driver.member);
  LOAD_FUNCTIONS(BIND)
#undef BIND
  return driver;
}

void Check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  fprintf(stderr, "%s: %s: error %d\n", program_invocation_short_name, what,
          static_cast<int>(result));
  _exit(1);
}

}  // namespace warpshare::load
