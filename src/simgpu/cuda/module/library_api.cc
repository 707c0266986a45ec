#include <algorithm>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/image/image.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/module/image_file.h"
#include "simgpu/cuda/module/jit_options.h"
#include "simgpu/cuda/module/library.h"

using simgpu::cuda::Context;
using simgpu::cuda::CurrentContext;
using simgpu::cuda::Kernel;
using simgpu::cuda::Library;
using simgpu::cuda::Module;
using simgpu::cuda::Ready;

namespace {

CUresult Find(CUlibrary handle, Library** library) {
  SIMGPU_TRY(Ready());
  *library = Library::From(handle);
  SIMGPU_REQUIRE(*library != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return CUDA_SUCCESS;
}

CUresult FindInCurrentContext(CUlibrary handle, Module** module) {
  Library* library = nullptr;
  SIMGPU_TRY(Find(handle, &library));
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  return library->ModuleIn(*context, module);
}

CUresult CheckLibraryOptions(unsigned count, const CUlibraryOption* options) {
  SIMGPU_REQUIRE(count == 0 || options != nullptr, CUDA_ERROR_INVALID_VALUE);
  const bool known = std::all_of(options, options + count, [](CUlibraryOption option) {
    return option >= 0 && option < CU_LIBRARY_NUM_OPTIONS;
  });
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

struct LoadOptions {
  unsigned num_jit;
  const CUjit_option* jit;
  void** jit_values;
  unsigned num_library;
  const CUlibraryOption* library;
};

CUresult Load(CUlibrary* library, std::string_view image, const LoadOptions& options) {
  SIMGPU_REQUIRE(library != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(simgpu::cuda::AnswerJitOptions(options.num_jit, options.jit, options.jit_values));
  SIMGPU_TRY(CheckLibraryOptions(options.num_library, options.library));
  Library* loaded = nullptr;
  SIMGPU_TRY(Library::Load(image, &loaded));
  *library = loaded->handle();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jit_options,
                           void** jit_options_values, unsigned num_jit_options,
                           CUlibraryOption* library_options, void** library_option_values,
                           unsigned num_library_options) {
  (void)library_option_values;
  SIMGPU_TRY(Ready());
  return Load(
      library, simgpu::cuda::WholeImage(code),
      {num_jit_options, jit_options, jit_options_values, num_library_options, library_options});
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file_name, CUjit_option* jit_options,
                               void** jit_options_values, unsigned num_jit_options,
                               CUlibraryOption* library_options, void** library_option_values,
                               unsigned num_library_options) {
  (void)library_option_values;
  SIMGPU_TRY(Ready());
  std::string image;
  SIMGPU_TRY(simgpu::cuda::ReadImage(file_name, &image));
  return Load(
      library, image,
      {num_jit_options, jit_options, jit_options_values, num_library_options, library_options});
}

CUresult cuLibraryUnload(CUlibrary library) {
  Library* found = nullptr;
  SIMGPU_TRY(Find(library, &found));
  found->Unload();
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule* mod, CUlibrary library) {
  Module* module = nullptr;
  SIMGPU_TRY(FindInCurrentContext(library, &module));
  SIMGPU_REQUIRE(mod != nullptr, CUDA_ERROR_INVALID_VALUE);
  *mod = module->handle();
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                            const char* name) {
  Module* module = nullptr;
  SIMGPU_TRY(FindInCurrentContext(library, &module));
  return module->GetGlobal(name, pointer, bytes);
}

// Simulated libraries hold no managed variables and no unified functions.
CUresult cuLibraryGetManaged(CUdeviceptr*, size_t*, CUlibrary library, const char* name) {
  Library* found = nullptr;
  SIMGPU_TRY(Find(library, &found));
  return name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetUnifiedFunction(void**, CUlibrary library, const char* symbol) {
  Library* found = nullptr;
  SIMGPU_TRY(Find(library, &found));
  return symbol == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  Library* found = nullptr;
  SIMGPU_TRY(Find(library, &found));
  SIMGPU_REQUIRE(kernel != nullptr, CUDA_ERROR_INVALID_VALUE);
  Kernel* named = nullptr;
  SIMGPU_TRY(found->GetKernel(name, &named));
  *kernel = named->handle();
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary lib) {
  Library* found = nullptr;
  SIMGPU_TRY(Find(lib, &found));
  SIMGPU_REQUIRE(count != nullptr, CUDA_ERROR_INVALID_VALUE);
  *count = static_cast<unsigned>(found->Kernels().size());
  return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned num_kernels, CUlibrary lib) {
  Library* found = nullptr;
  SIMGPU_TRY(Find(lib, &found));
  SIMGPU_REQUIRE(kernels != nullptr, CUDA_ERROR_INVALID_VALUE);
  const std::vector<Kernel*> all = found->Kernels();
  const size_t count = std::min<size_t>(num_kernels, all.size());
  std::transform(all.begin(), all.begin() + count, kernels,
                 [](const Kernel* kernel) { return kernel->handle(); });
  return CUDA_SUCCESS;
}
