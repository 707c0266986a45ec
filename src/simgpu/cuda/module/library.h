// Code loaded into no context in particular (CUlibrary), and its kernels (CUkernel). It becomes a
// module of a context when it is first needed there, and costs that card's memory from then on; one
// that is loaded while a context is current is needed there at once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/image/contents.h"
#include "simgpu/cuda/module/attributes.h"
#include "simgpu/cuda/module/module.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Kernel : public Handled<Kernel, CUkernel, HandleKind::kKernel> {
 public:
  Kernel(Library& library, std::string name) : library_(library), name_(std::move(name)) {}

  Library& library() const { return library_; }
  const std::string& name() const { return name_; }

 private:
  Library& library_;
  const std::string name_;
};

class Library : public Handled<Library, CUlibrary, HandleKind::kLibrary>,
                public std::enable_shared_from_this<Library> {
 public:
  // Keeps itself until Unload.
  static CUresult Load(std::string_view image, Library** library);

  explicit Library(ImageContents contents);

  // Waits for the work of the contexts it is in.
  void Unload();

  const std::shared_ptr<const Variables>& variables() const { return variables_; }

  // What the library is in a context.
  CUresult ModuleIn(Context& context, Module** module);
  CUresult GetKernel(const char* name, Kernel** kernel);
  std::vector<Kernel*> Kernels();
  std::shared_ptr<FunctionAttributes> AttributesOf(const std::string& kernel, CUdevice device);

 private:
  struct Instance {
    std::shared_ptr<Context> context;
    std::shared_ptr<Module> module;
    uint64_t cleanup = 0;
  };

  Kernel& KernelLocked(const std::string& name);
  void LeaveContext(uint64_t context_id);

  const std::shared_ptr<const Variables> variables_;  // that the image names

  std::mutex mutex_;
  std::shared_ptr<Library> self_;
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;
  std::map<uint64_t, Instance> instances_;  // by context id

  std::mutex attributes_mutex_;  // taken alone, or after mutex_ and a module's
  std::map<std::pair<std::string, CUdevice>, std::shared_ptr<FunctionAttributes>> attributes_;
};

}  // namespace simgpu::cuda
