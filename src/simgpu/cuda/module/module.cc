#include "simgpu/cuda/module/module.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/image/image.h"
#include "simgpu/cuda/module/global_memory.h"
#include "simgpu/cuda/module/library.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {

bool IsLoadingEager() {
  const char* const wanted = std::getenv("CUDA_MODULE_LOADING");
  return wanted != nullptr && std::strcmp(wanted, "EAGER") == 0;
}

CUresult Module::Load(Context& context, std::string_view image, Module** module) {
  SIMGPU_REQUIRE(image.data() != nullptr, CUDA_ERROR_INVALID_VALUE);
  ImageContents contents = ContentsOf(image);
  auto made = std::make_shared<Module>(
      context, nullptr, std::make_shared<const Variables>(std::move(contents.variables)));
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  SIMGPU_TRY(made->Charge());
  for (const std::string& name : contents.kernels) made->FunctionLocked(name);
  *module = made.get();
  (*module)->cleanup_ = context.AtDeactivation([made] {});  // what keeps it
  return CUDA_SUCCESS;
}

CUresult Module::LoadFor(Library& library, Context& context, std::shared_ptr<Module>* module) {
  auto made = std::make_shared<Module>(context, &library, library.variables());
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  SIMGPU_TRY(made->Charge());
  *module = std::move(made);
  return CUDA_SUCCESS;
}

Module::Module(Context& context, Library* library, std::shared_ptr<const Variables> variables)
    : context_(context.shared_from_this()),
      library_(library),
      variables_(std::move(variables)),
      global_memory_(std::make_unique<GlobalMemory>(context)) {}

Module::~Module() {
  if (!charged_) return;
  world::World::Instance().memory().Uncharge(context_->card(), world::MemoryKind::kModule,
                                             SpecOf(context_->card()).module_bytes);
}

CUresult Module::Charge() {
  charged_ = world::World::Instance().memory().Charge(context_->card(), world::MemoryKind::kModule,
                                                      SpecOf(context_->card()).module_bytes);
  return charged_ ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void Module::Unload() {
  const std::shared_ptr<Module> keep = shared_from_this();
  Retract();
  context_->Synchronize();
  context_->CancelCleanup(cleanup_);
}

CUresult Module::GetFunction(const char* name, Function** function) {
  SIMGPU_REQUIRE(name != nullptr && *name != '\0', CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(mutex_);
  *function = &FunctionLocked(name);
  SIMGPU_REQUIRE((*function)->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  return IsLoadingEager() ? (*function)->Load() : CUDA_SUCCESS;
}

Function& Module::FunctionLocked(const std::string& name) {
  std::unique_ptr<Function>& function = functions_[name];
  if (function == nullptr) {
    auto attributes = library_ == nullptr ? std::make_shared<FunctionAttributes>(context_->card())
                                          : library_->AttributesOf(name, context_->device());
    function = std::make_unique<Function>(*this, name, std::move(attributes));
  }
  return *function;
}

// What is larger than a module may have is found as a piece.
Variable Module::VariableOf(const std::string& name) const {
  const auto known = variables_->find(name);
  if (known != variables_->end() && known->second.bytes <= GlobalMemory::kMostBytes) {
    return known->second;
  }
  return {.bytes = GlobalMemory::kPieceBytes, .value = {}};
}

CUresult Module::GetGlobal(const char* name, CUdeviceptr* pointer, size_t* bytes) {
  SIMGPU_REQUIRE(name != nullptr && *name != '\0', CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(mutex_);
  const Variable variable = VariableOf(name);
  CUdeviceptr& global = globals_[name];
  if (global == 0) SIMGPU_TRY(global_memory_->Take(variable, &global));
  if (pointer != nullptr) *pointer = global;
  if (bytes != nullptr) *bytes = variable.bytes;
  return CUDA_SUCCESS;
}

std::vector<Function*> Module::Functions() {
  const std::lock_guard lock(mutex_);
  std::vector<Function*> functions;
  for (const auto& [name, function] : functions_) functions.push_back(function.get());
  return functions;
}

}  // namespace simgpu::cuda
