#include "simgpu/cuda/context/current.h"

#include <vector>

namespace simgpu::cuda {
namespace {

std::vector<CUcontext>& Stack() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

}  // namespace

CUresult CurrentContext(Context** context) {
  SIMGPU_TRY(Ready());
  const CUcontext handle = ContextStack::Top();
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  Context* const found = Context::From(handle);
  SIMGPU_REQUIRE(found != nullptr && found->live(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  *context = found;
  return found->failure();
}

CUresult NamedOrCurrentContext(CUcontext handle, Context** context) {
  if (handle == nullptr) return CurrentContext(context);
  SIMGPU_TRY(Ready());
  *context = Context::From(handle);
  SIMGPU_REQUIRE(*context != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  SIMGPU_REQUIRE((*context)->live(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return (*context)->failure();
}

constinit thread_local CUcontext ContextStack::top = nullptr;

void ContextStack::Push(CUcontext context) {
  Stack().push_back(context);
  top = context;
}

CUcontext ContextStack::Pop() {
  const CUcontext popped = top;
  if (!Stack().empty()) Stack().pop_back();
  top = Stack().empty() ? nullptr : Stack().back();
  return popped;
}

void ContextStack::Set(CUcontext context) {
  Pop();
  if (context != nullptr) Push(context);
}

}  // namespace simgpu::cuda
