#include "apps/warpshare/driver_probe.h"

#include <dlfcn.h>

#include "abi/driver/cuda_types.h"
#include "types/printable.h"

namespace warpshare::app {

namespace {

struct Cuda {
  CUresult (*init)(unsigned int);
  CUresult (*error_name)(CUresult, const char**);
  CUresult (*version)(int*);
  CUresult (*count)(int*);
  CUresult (*total)(size_t*, CUdevice);
};

template <typename Function>
bool Bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

// The reason why it cannot be used; empty if it can.
std::string Load(const std::string& path, Cuda& cuda) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "cannot be loaded: " + Printable(dlerror());
  const bool bound = Bind(library, "cuInit", cuda.init) &&
                     Bind(library, "cuGetErrorName", cuda.error_name) &&
                     Bind(library, "cuDriverGetVersion", cuda.version) &&
                     Bind(library, "cuDeviceGetCount", cuda.count) &&
                     Bind(library, "cuDeviceTotalMem_v2", cuda.total);
  return bound ? "" : "lacks functions that every CUDA driver has";
}

std::string Said(const Cuda& cuda, const char* function, CUresult result) {
  const char* name = nullptr;
  if (cuda.error_name(result, &name) != CUDA_SUCCESS || name == nullptr) name = "unknown";
  return std::string(function) + " says " + Printable(name) + " (" +
         std::to_string(static_cast<int>(result)) + ")";
}

}  // namespace

std::string ProbeCuda(const std::string& library_path) {
  Cuda cuda = {};
  if (std::string reason = Load(library_path, cuda); !reason.empty()) return reason;
  if (const CUresult result = cuda.init(0); result != CUDA_SUCCESS)
    return Said(cuda, "cuInit", result);
  int version = 0;
  int count = 0;
  if (const CUresult result = cuda.version(&version); result != CUDA_SUCCESS)
    return Said(cuda, "cuDriverGetVersion", result);
  if (const CUresult result = cuda.count(&count); result != CUDA_SUCCESS)
    return Said(cuda, "cuDeviceGetCount", result);
  return kProbeFine + ("CUDA " + std::to_string(version / 1000)) + "." +
         std::to_string(version % 1000 / 10) + ", cards: " + std::to_string(count);
}

std::string ProbeLimit(const std::string& interposer_path, Bytes limit) {
  Cuda cuda = {};
  if (std::string reason = Load(interposer_path, cuda); !reason.empty()) return reason;
  if (const CUresult result = cuda.init(0); result != CUDA_SUCCESS)
    return Said(cuda, "cuInit", result);
  size_t total = 0;
  if (const CUresult result = cuda.total(&total, 0); result != CUDA_SUCCESS)
    return Said(cuda, "cuDeviceTotalMem", result);
  if (Bytes(total) != limit)
    return "a program sees " + Exact(Bytes(total)) + " under a limit of " + Exact(limit);
  return std::string(kProbeFine) + "a program under a limit of " + Exact(limit) + " sees just that";
}

}  // namespace warpshare::app
