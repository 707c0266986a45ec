#include <algorithm>
#include <climits>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/image/image.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/module/image_file.h"
#include "simgpu/cuda/module/jit_options.h"
#include "simgpu/cuda/module/module.h"

using simgpu::cuda::Context;
using simgpu::cuda::CurrentContext;
using simgpu::cuda::Function;
using simgpu::cuda::Module;
using simgpu::cuda::Ready;
using simgpu::cuda::WholeImage;

namespace {

CUresult Load(CUmodule* module, std::string_view image) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(module != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(simgpu::cuda::RefuseWhileCapturing());
  Module* loaded = nullptr;
  SIMGPU_TRY(Module::Load(*context, image, &loaded));
  *module = loaded->handle();
  return CUDA_SUCCESS;
}

CUresult Find(CUmodule handle, Module** module) {
  SIMGPU_TRY(Ready());
  *module = Module::From(handle);
  SIMGPU_REQUIRE(*module != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return Load(module, WholeImage(image));
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned num_options,
                            CUjit_option* options, void** option_values) {
  SIMGPU_TRY(Ready());
  SIMGPU_TRY(simgpu::cuda::AnswerJitOptions(num_options, options, option_values));
  return Load(module, WholeImage(image));
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fat_cubin) {
  return Load(module, WholeImage(fat_cubin));
}

CUresult cuModuleLoad(CUmodule* module, const char* fname) {
  SIMGPU_TRY(Ready());
  std::string image;
  SIMGPU_TRY(simgpu::cuda::ReadImage(fname, &image));
  return Load(module, image);
}

// Of libraries, the modules belong to the library.
CUresult cuModuleUnload(CUmodule module) {
  Module* found = nullptr;
  SIMGPU_TRY(Find(module, &found));
  SIMGPU_REQUIRE(found->library() == nullptr, CUDA_ERROR_INVALID_HANDLE);
  found->Unload();
  return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(mode != nullptr, CUDA_ERROR_INVALID_VALUE);
  *mode = simgpu::cuda::IsLoadingEager() ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  Module* found = nullptr;
  SIMGPU_TRY(Find(module, &found));
  SIMGPU_REQUIRE(function != nullptr, CUDA_ERROR_INVALID_VALUE);
  Function* named = nullptr;
  SIMGPU_TRY(found->GetFunction(name, &named));
  *function = named->handle();
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  Module* found = nullptr;
  SIMGPU_TRY(Find(module, &found));
  SIMGPU_REQUIRE(count != nullptr, CUDA_ERROR_INVALID_VALUE);
  *count = static_cast<unsigned>(found->Functions().size());
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned num_functions,
                                    CUmodule module) {
  Module* found = nullptr;
  SIMGPU_TRY(Find(module, &found));
  SIMGPU_REQUIRE(functions != nullptr, CUDA_ERROR_INVALID_VALUE);
  const std::vector<Function*> all = found->Functions();
  const size_t count = std::min<size_t>(num_functions, all.size());
  std::transform(all.begin(), all.begin() + count, functions,
                 [](const Function* function) { return function->handle(); });
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module,
                              const char* name) {
  Module* found = nullptr;
  SIMGPU_TRY(Find(module, &found));
  return found->GetGlobal(name, pointer, bytes);
}

// For programs from the time of 32 bits, which could not hold the address.
CUresult cuModuleGetGlobal(CUdeviceptr_v1*, unsigned*, CUmodule, const char*) {
  SIMGPU_TRY(Ready());
  return CUDA_ERROR_NOT_SUPPORTED;
}
