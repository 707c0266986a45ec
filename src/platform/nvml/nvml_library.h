// The driver's management library, found by its path. Inside of the room only.
#pragma once

#include <optional>
#include <string>

#include "abi/driver/nvml_types.h"
#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::platform::nvml {

// Left open for ever: the library may have left threads or handlers behind that run its code.
Result<void*> OpenLibrary(const std::string& driver_folder);

void* Symbol(void* library, const char* name);

template <typename Function>
bool Bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(Symbol(library, symbol));
  return function != nullptr;
}

// What whoever asks for cards asks first. Each user adds its own functions.
struct Basics {
  nvmlReturn_t (*init)();
  nvmlReturn_t (*shutdown)();
  nvmlReturn_t (*count)(unsigned int*);
  nvmlReturn_t (*handle)(unsigned int, nvmlDevice_t*);
  nvmlReturn_t (*uuid)(nvmlDevice_t, char*, unsigned int);
};
bool BindBasics(void* library, Basics& nvml);

std::optional<GpuUuid> UuidOf(const Basics& nvml, nvmlDevice_t device);

}  // namespace warpshare::platform::nvml
