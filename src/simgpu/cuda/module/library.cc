#include "simgpu/cuda/module/library.h"

#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/image/image.h"

namespace simgpu::cuda {

Library::Library(ImageContents contents)
    : variables_(std::make_shared<const Variables>(std::move(contents.variables))) {
  for (const std::string& name : contents.kernels) KernelLocked(name);
}

CUresult Library::Load(std::string_view image, Library** library) {
  SIMGPU_REQUIRE(image.data() != nullptr, CUDA_ERROR_INVALID_VALUE);
  const auto made = std::make_shared<Library>(ContentsOf(image));
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  Context* context = nullptr;
  if (CurrentContext(&context) == CUDA_SUCCESS) {
    Module* module = nullptr;
    SIMGPU_TRY(made->ModuleIn(*context, &module));
  }
  made->self_ = made;
  *library = made.get();
  return CUDA_SUCCESS;
}

void Library::Unload() {
  const std::shared_ptr<Library> keep = shared_from_this();
  Retract();
  std::map<uint64_t, Instance> instances;
  {
    const std::lock_guard lock(mutex_);
    instances.swap(instances_);
    self_.reset();
  }
  for (auto& [id, instance] : instances) {
    instance.context->CancelCleanup(instance.cleanup);
    if (instance.context->live()) instance.context->Synchronize();
  }
}

CUresult Library::ModuleIn(Context& context, Module** module) {
  const std::lock_guard lock(mutex_);
  Instance& instance = instances_[context.id()];
  if (instance.module == nullptr) {
    const CUresult result = Module::LoadFor(*this, context, &instance.module);
    if (result != CUDA_SUCCESS) {
      instances_.erase(context.id());
      return result;
    }
    instance.context = context.shared_from_this();
    instance.cleanup = context.AtDeactivation([weak = weak_from_this(), id = context.id()] {
      if (const std::shared_ptr<Library> library = weak.lock()) library->LeaveContext(id);
    });
  }
  *module = instance.module.get();
  return CUDA_SUCCESS;
}

void Library::LeaveContext(uint64_t context_id) {
  Instance leaving;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto found = instances_.find(context_id);
  if (found == instances_.end()) return;
  leaving = std::move(found->second);
  instances_.erase(found);
}

CUresult Library::GetKernel(const char* name, Kernel** kernel) {
  SIMGPU_REQUIRE(name != nullptr && *name != '\0', CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(mutex_);
  *kernel = &KernelLocked(name);
  return (*kernel)->handle() != nullptr ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

Kernel& Library::KernelLocked(const std::string& name) {
  std::unique_ptr<Kernel>& kernel = kernels_[name];
  if (kernel == nullptr) kernel = std::make_unique<Kernel>(*this, name);
  return *kernel;
}

std::vector<Kernel*> Library::Kernels() {
  const std::lock_guard lock(mutex_);
  std::vector<Kernel*> kernels;
  for (const auto& [name, kernel] : kernels_) kernels.push_back(kernel.get());
  return kernels;
}

std::shared_ptr<FunctionAttributes> Library::AttributesOf(const std::string& kernel,
                                                          CUdevice device) {
  const std::lock_guard lock(attributes_mutex_);
  std::shared_ptr<FunctionAttributes>& attributes = attributes_[{kernel, device}];
  if (attributes == nullptr) {
    attributes = std::make_shared<FunctionAttributes>(VisibleCards()[device]);
  }
  return attributes;
}

}  // namespace simgpu::cuda
