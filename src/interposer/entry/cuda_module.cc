// Code: modules and libraries.
#include "abi/driver/cuda_types.h"
#include "interposer/accounts/code.h"
#include "interposer/accounts/late_code.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using warpshare::interposer::FindFunction;
using warpshare::interposer::FindModule;
using warpshare::interposer::ListKernels;
using warpshare::interposer::LoadLibrary;
using warpshare::interposer::LoadModule;
using warpshare::interposer::LookUpFunction;
using warpshare::interposer::LookUpKernel;
using warpshare::interposer::NeedLibrary;
using warpshare::interposer::UnloadCode;

WARPSHARE_HOOK CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return LoadModule(module, [=] { return REAL(cuModuleLoad)(module, path); });
}
WARPSHARE_HOOK CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return LoadModule(module, [=] { return REAL(cuModuleLoadData)(module, image); });
}
WARPSHARE_HOOK CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                                           CUjit_option* options, void** values) {
  return LoadModule(
      module, [=] { return REAL(cuModuleLoadDataEx)(module, image, count, options, values); });
}
WARPSHARE_HOOK CUresult cuModuleLoadFatBinary(CUmodule* module, const void* binary) {
  return LoadModule(module, [=] { return REAL(cuModuleLoadFatBinary)(module, binary); });
}
WARPSHARE_HOOK CUresult cuModuleUnload(CUmodule module) {
  return UnloadCode(module, [=] { return REAL(cuModuleUnload)(module); });
}

WARPSHARE_HOOK CUresult cuLibraryLoadData(CUlibrary* library, const void* code,
                                          CUjit_option* jit_options, void** jit_values,
                                          unsigned int jit_count, CUlibraryOption* options,
                                          void** values, unsigned int count) {
  return LoadLibrary(library, [=] {
    return REAL(cuLibraryLoadData)(library, code, jit_options, jit_values, jit_count, options,
                                   values, count);
  });
}
WARPSHARE_HOOK CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path,
                                              CUjit_option* jit_options, void** jit_values,
                                              unsigned int jit_count, CUlibraryOption* options,
                                              void** values, unsigned int count) {
  return LoadLibrary(library, [=] {
    return REAL(cuLibraryLoadFromFile)(library, path, jit_options, jit_values, jit_count, options,
                                       values, count);
  });
}
WARPSHARE_HOOK CUresult cuLibraryUnload(CUlibrary library) {
  return UnloadCode(library, [=] { return REAL(cuLibraryUnload)(library); });
}

WARPSHARE_HOOK CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return FindModule(module, library, [=] { return REAL(cuLibraryGetModule)(module, library); });
}
WARPSHARE_HOOK CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                                           const char* name) {
  return NeedLibrary(library,
                     [=] { return REAL(cuLibraryGetGlobal)(pointer, bytes, library, name); });
}
WARPSHARE_HOOK CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                                            const char* name) {
  return NeedLibrary(library,
                     [=] { return REAL(cuLibraryGetManaged)(pointer, bytes, library, name); });
}
WARPSHARE_HOOK CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary library,
                                                    const char* symbol) {
  return NeedLibrary(library,
                     [=] { return REAL(cuLibraryGetUnifiedFunction)(function, library, symbol); });
}
WARPSHARE_HOOK CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return LookUpKernel(kernel, library,
                      [=] { return REAL(cuLibraryGetKernel)(kernel, library, name); });
}
WARPSHARE_HOOK CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count,
                                                  CUlibrary library) {
  return ListKernels(kernels, count, library,
                     [=] { return REAL(cuLibraryEnumerateKernels)(kernels, count, library); });
}
WARPSHARE_HOOK CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return FindFunction(function, kernel,
                      [=] { return REAL(cuKernelGetFunction)(function, kernel); });
}
WARPSHARE_HOOK CUresult cuModuleGetFunction(CUfunction* function, CUmodule module,
                                            const char* name) {
  return LookUpFunction(function, module, name,
                        [=] { return REAL(cuModuleGetFunction)(function, module, name); });
}
