// A kernel as a context launches it (CUfunction).
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/launch/duration.h"
#include "simgpu/cuda/module/attributes.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Module;

// What cuFuncSetBlockShape and its kin of CUDA 2 keep for cuLaunch.
struct LegacyLaunch {
  unsigned block_x = 1;
  unsigned block_y = 1;
  unsigned block_z = 1;
  unsigned shared_bytes = 0;
};

class Function : public Handled<Function, CUfunction, HandleKind::kFunction> {
 public:
  Function(Module& module, std::string name, std::shared_ptr<FunctionAttributes> attributes)
      : module_(module),
        name_(std::move(name)),
        named_(BehaviourInName(name_)),
        attributes_(std::move(attributes)) {}
  ~Function();

  // Brings its code onto the card, if it is not there: by its first use, or a call for that.
  CUresult Load();
  bool is_loaded() const { return is_loaded_.load(std::memory_order_acquire); }

  Module& module() const { return module_; }
  const std::string& name() const { return name_; }
  const NamedBehaviour& named() const { return named_; }
  FunctionAttributes& attributes() const { return *attributes_; }

  LegacyLaunch legacy_launch() const;
  template <class Change>
  void ChangeLegacyLaunch(Change change) {
    const std::lock_guard lock(mutex_);
    change(legacy_launch_);
  }

 private:
  Module& module_;
  const std::string name_;
  const NamedBehaviour named_;
  const std::shared_ptr<FunctionAttributes> attributes_;  // a library's kernel shares its own
  mutable std::mutex mutex_;
  LegacyLaunch legacy_launch_;
  std::atomic<bool> is_loaded_ = false;
};

// The function a program names: a CUfunction, or a CUkernel cast to one, which means that kernel in
// the current context. CUDA_ERROR_INVALID_HANDLE.
CUresult ResolveFunction(CUfunction handle, Function** function);

}  // namespace simgpu::cuda
