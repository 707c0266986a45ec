// A weak function for every symbol NVML exports: whatever no topic folder implements answers
// NVML_ERROR_NOT_SUPPORTED, as a card does that lacks the feature. Arguments are ignored, so that
// one signature serves all (x86-64 and arm64 leave cleaning up to the caller).
#include "simgpu/nvml/session/session.h"

extern "C" {

__attribute__((visibility("hidden"))) nvmlReturn_t SimgpuNvmlNotSupported() {
  simgpu::world::World* world = nullptr;
  const nvmlReturn_t ready = simgpu::nvml::Ready(&world);
  return ready == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED : ready;
}

#define NVML_ENTRY(symbol, effect, handling)                                                 \
  __attribute__((weak, visibility("default"), alias("SimgpuNvmlNotSupported"))) nvmlReturn_t \
  symbol();
#include "abi/driver/entry_points.def"

}  // extern "C"
