#include <cstdint>
#include <cstdlib>

#include "simgpu/cuda/image/ptx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto contents = simgpu::cuda::ReadPtx({reinterpret_cast<const char*>(data), size});
  for (const auto& [name, variable] : contents.variables) {
    if (variable.bytes == 0) std::abort();
    if (!variable.value.empty() && variable.value.size() != variable.bytes) std::abort();
  }
  return 0;
}
