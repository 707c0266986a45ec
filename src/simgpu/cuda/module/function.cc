#include "simgpu/cuda/module/function.h"

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/module/library.h"
#include "simgpu/cuda/module/module.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {

Function::~Function() {
  if (!is_loaded_) return;
  const int card = module_.context().card();
  world::World::Instance().memory().Uncharge(card, world::MemoryKind::kModule,
                                             SpecOf(card).function_bytes);
}

CUresult Function::Load() {
  if (is_loaded_.load(std::memory_order_acquire)) return CUDA_SUCCESS;
  const std::lock_guard lock(mutex_);
  if (is_loaded_.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  const int card = module_.context().card();
  SIMGPU_REQUIRE(world::World::Instance().memory().Charge(card, world::MemoryKind::kModule,
                                                          SpecOf(card).function_bytes),
                 CUDA_ERROR_OUT_OF_MEMORY);
  is_loaded_.store(true, std::memory_order_release);
  return CUDA_SUCCESS;
}

LegacyLaunch Function::legacy_launch() const {
  const std::lock_guard lock(mutex_);
  return legacy_launch_;
}

CUresult ResolveFunction(CUfunction handle, Function** function) {
  SIMGPU_TRY(Ready());
  *function = Function::From(handle);
  if (*function != nullptr) return CUDA_SUCCESS;
  Kernel* const kernel = Kernel::From(reinterpret_cast<CUkernel>(handle));
  SIMGPU_REQUIRE(kernel != nullptr, CUDA_ERROR_INVALID_HANDLE);
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  Module* module = nullptr;
  SIMGPU_TRY(kernel->library().ModuleIn(*context, &module));
  return module->GetFunction(kernel->name().c_str(), function);
}

}  // namespace simgpu::cuda
