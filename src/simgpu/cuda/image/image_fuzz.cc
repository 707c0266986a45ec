#include <cstdint>
#include <cstdlib>

#include "simgpu/cuda/image/image.h"

// Of cubins and fat binaries; PTX has a fuzzer of its own.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view image(reinterpret_cast<const char*>(data), size);
  for (const auto& [name, variable] : simgpu::cuda::ContentsOf(image).variables) {
    if (!variable.value.empty() && variable.value.size() != variable.bytes) std::abort();
  }
  return 0;
}
