// Which context is current: each thread has its own stack of them.
#pragma once

#include "simgpu/cuda/context/context.h"

namespace simgpu::cuda {

// The calling thread's current context. Fails with what almost every driver function answers then:
// CUDA_ERROR_NOT_INITIALIZED; CUDA_ERROR_INVALID_CONTEXT when none is current;
// CUDA_ERROR_CONTEXT_IS_DESTROYED when it was destroyed meanwhile; the context's failure.
CUresult CurrentContext(Context** context);

// The context a program names, or the current one for nullptr: for functions that take either.
CUresult NamedOrCurrentContext(CUcontext handle, Context** context);

// The calling thread's stack. Holds handles: a context on it may be destroyed by another thread.
class ContextStack {
 public:
  static CUcontext Top() { return top; }  // nullptr when empty
  static void Push(CUcontext context);
  static CUcontext Pop();  // nullptr when empty
  // Replaces the top; nullptr removes it.
  static void Set(CUcontext context);

 private:
  // What nearly every function asks for: found without the look-up and the check for first use that
  // the rest of the stack costs.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local CUcontext top;
};

}  // namespace simgpu::cuda
