// Options of the JIT compiler and linker. There is nothing to compile: logs stay empty.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// Checks the options and answers those that ask for something back.
CUresult AnswerJitOptions(unsigned count, const CUjit_option* options, void** values);

}  // namespace simgpu::cuda
