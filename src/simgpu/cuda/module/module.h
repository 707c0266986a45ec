// Code loaded into a context: a CUmodule, or what a library is in that context. Any image loads and
// costs the card the memory that the scenario says; any kernel name is found, and so is any
// variable: as the image has it, or 64 KiB of zeros, in the module's own memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/image/contents.h"
#include "simgpu/cuda/module/function.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Context;
class GlobalMemory;
class Library;

// Functions are brought onto the card when they are looked up, not when they are first used
// (CUDA_MODULE_LOADING).
bool IsLoadingEager();

class Module : public Handled<Module, CUmodule, HandleKind::kModule>,
               public std::enable_shared_from_this<Module> {
 public:
  // For cuModuleLoad: the context keeps it until Unload, or until it ends itself.
  static CUresult Load(Context& context, std::string_view image, Module** module);
  // For a library, which keeps it.
  static CUresult LoadFor(Library& library, Context& context, std::shared_ptr<Module>* module);

  Module(Context& context, Library* library, std::shared_ptr<const Variables> variables);
  ~Module();

  // Waits for the context's work.
  void Unload();

  Context& context() const { return *context_; }
  Library* library() const { return library_; }  // nullptr for modules of cuModuleLoad

  CUresult GetFunction(const char* name, Function** function);
  CUresult GetGlobal(const char* name, CUdeviceptr* pointer, size_t* bytes);
  // Kernels that the image names, and those asked for by name.
  std::vector<Function*> Functions();

 private:
  CUresult Charge();
  Function& FunctionLocked(const std::string& name);
  Variable VariableOf(const std::string& name) const;

  const std::shared_ptr<Context> context_;
  Library* const library_;
  uint64_t cleanup_ = 0;  // key in the context
  bool charged_ = false;

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Function>> functions_;
  const std::shared_ptr<const Variables> variables_;  // that the image names
  std::map<std::string, CUdeviceptr> globals_;
  std::unique_ptr<GlobalMemory> global_memory_;
};

}  // namespace simgpu::cuda
