// Kernels of libraries (CUkernel).
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/module/library.h"

using simgpu::cuda::Function;
using simgpu::cuda::FunctionAttributes;
using simgpu::cuda::Kernel;
using simgpu::cuda::Ready;

namespace {

CUresult Find(CUkernel handle, Kernel** kernel) {
  SIMGPU_TRY(Ready());
  *kernel = Kernel::From(handle);
  SIMGPU_REQUIRE(*kernel != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return CUDA_SUCCESS;
}

CUresult AttributesOf(CUkernel handle, CUdevice device,
                      std::shared_ptr<FunctionAttributes>* attributes) {
  Kernel* kernel = nullptr;
  SIMGPU_TRY(Find(handle, &kernel));
  int card = 0;
  SIMGPU_TRY(simgpu::cuda::CardOf(device, &card));
  *attributes = kernel->library().AttributesOf(kernel->name(), device);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuKernelGetFunction(CUfunction* func, CUkernel kernel) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(func != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(Kernel::From(kernel) != nullptr, CUDA_ERROR_INVALID_HANDLE);
  Function* function = nullptr;
  SIMGPU_TRY(simgpu::cuda::ResolveFunction(reinterpret_cast<CUfunction>(kernel), &function));
  *func = function->handle();
  return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary* lib, CUkernel kernel) {
  Kernel* found = nullptr;
  SIMGPU_TRY(Find(kernel, &found));
  SIMGPU_REQUIRE(lib != nullptr, CUDA_ERROR_INVALID_VALUE);
  *lib = found->library().handle();
  return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char** name, CUkernel function) {
  SIMGPU_REQUIRE(function != nullptr, CUDA_ERROR_INVALID_VALUE);
  Kernel* found = nullptr;
  SIMGPU_TRY(Find(function, &found));
  SIMGPU_REQUIRE(name != nullptr, CUDA_ERROR_INVALID_VALUE);
  *name = found->name().c_str();
  return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attrib, CUkernel kernel,
                              CUdevice device) {
  std::shared_ptr<FunctionAttributes> attributes;
  SIMGPU_TRY(AttributesOf(kernel, device, &attributes));
  return attributes->Get(attrib, value);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                              CUdevice device) {
  std::shared_ptr<FunctionAttributes> attributes;
  SIMGPU_TRY(AttributesOf(kernel, device, &attributes));
  return attributes->Set(attrib, val);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  std::shared_ptr<FunctionAttributes> attributes;
  SIMGPU_TRY(AttributesOf(kernel, device, &attributes));
  SIMGPU_REQUIRE(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

// Nothing is known of a simulated kernel's parameters: it has none to tell of.
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t, size_t*, size_t*) {
  Kernel* found = nullptr;
  SIMGPU_TRY(Find(kernel, &found));
  return CUDA_ERROR_INVALID_VALUE;
}
