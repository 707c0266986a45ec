// Modules, libraries, kernels, functions, the linker.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attrib,
                                          CUfunction function);
SIMGPU_EXPORT CUresult cuFuncGetModule(CUmodule* module, CUfunction function);
SIMGPU_EXPORT CUresult cuFuncGetName(const char** name, CUfunction function);
SIMGPU_EXPORT CUresult cuFuncGetParamInfo(CUfunction func, size_t param_index, size_t* param_offset,
                                          size_t* param_size);
SIMGPU_EXPORT CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function);
SIMGPU_EXPORT CUresult cuFuncLoad(CUfunction function);
SIMGPU_EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attrib,
                                          int value);
SIMGPU_EXPORT CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
SIMGPU_EXPORT CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
SIMGPU_EXPORT CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attrib,
                                            CUkernel kernel, CUdevice device);
SIMGPU_EXPORT CUresult cuKernelGetFunction(CUfunction* func, CUkernel kernel);
SIMGPU_EXPORT CUresult cuKernelGetLibrary(CUlibrary* lib, CUkernel kernel);
SIMGPU_EXPORT CUresult cuKernelGetName(const char** name, CUkernel function);
SIMGPU_EXPORT CUresult cuKernelGetParamInfo(CUkernel kernel, size_t param_index,
                                            size_t* param_offset, size_t* param_size);
SIMGPU_EXPORT CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                                            CUdevice device);
SIMGPU_EXPORT CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config,
                                              CUdevice device);
SIMGPU_EXPORT CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned num_kernels,
                                                 CUlibrary lib);
SIMGPU_EXPORT CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                                          const char* name);
SIMGPU_EXPORT CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name);
SIMGPU_EXPORT CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary lib);
SIMGPU_EXPORT CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                                           const char* name);
SIMGPU_EXPORT CUresult cuLibraryGetModule(CUmodule* mod, CUlibrary library);
SIMGPU_EXPORT CUresult cuLibraryGetUnifiedFunction(void** fptr, CUlibrary library,
                                                   const char* symbol);
SIMGPU_EXPORT CUresult cuLibraryLoadData(CUlibrary* library, const void* code,
                                         CUjit_option* jit_options, void** jit_options_values,
                                         unsigned num_jit_options, CUlibraryOption* library_options,
                                         void** library_option_values,
                                         unsigned num_library_options);
SIMGPU_EXPORT CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file_name,
                                             CUjit_option* jit_options, void** jit_options_values,
                                             unsigned num_jit_options,
                                             CUlibraryOption* library_options,
                                             void** library_option_values,
                                             unsigned num_library_options);
SIMGPU_EXPORT CUresult cuLibraryUnload(CUlibrary library);
SIMGPU_EXPORT CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data,
                                     size_t size, const char* name, unsigned num_options,
                                     CUjit_option* options, void** option_values);
SIMGPU_EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data,
                                        size_t size, const char* name, unsigned num_options,
                                        CUjit_option* options, void** option_values);
SIMGPU_EXPORT CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path,
                                     unsigned num_options, CUjit_option* options,
                                     void** option_values);
SIMGPU_EXPORT CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path,
                                        unsigned num_options, CUjit_option* options,
                                        void** option_values);
SIMGPU_EXPORT CUresult cuLinkComplete(CUlinkState state, void** cubin_out, size_t* size_out);
SIMGPU_EXPORT CUresult cuLinkCreate(unsigned num_options, CUjit_option* options,
                                    void** option_values, CUlinkState* state_out);
SIMGPU_EXPORT CUresult cuLinkCreate_v2(unsigned num_options, CUjit_option* options,
                                       void** option_values, CUlinkState* state_out);
SIMGPU_EXPORT CUresult cuLinkDestroy(CUlinkState state);
SIMGPU_EXPORT CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned num_functions,
                                                  CUmodule module);
SIMGPU_EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
SIMGPU_EXPORT CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module);
SIMGPU_EXPORT CUresult cuModuleGetGlobal(CUdeviceptr_v1* pointer, unsigned* bytes, CUmodule module,
                                         const char* name);
SIMGPU_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module,
                                            const char* name);
SIMGPU_EXPORT CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode);
SIMGPU_EXPORT CUresult cuModuleGetSurfRef(CUsurfref* surf_ref, CUmodule module, const char* name);
SIMGPU_EXPORT CUresult cuModuleGetTexRef(CUtexref* tex_ref, CUmodule module, const char* name);
SIMGPU_EXPORT CUresult cuModuleLoad(CUmodule* module, const char* fname);
SIMGPU_EXPORT CUresult cuModuleLoadData(CUmodule* module, const void* image);
SIMGPU_EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned num_options,
                                          CUjit_option* options, void** option_values);
SIMGPU_EXPORT CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fat_cubin);
SIMGPU_EXPORT CUresult cuModuleUnload(CUmodule module);
