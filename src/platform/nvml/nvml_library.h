// The driver's management library, found by its path. Inside of the room only.
#pragma once

#include <string>

#include "abi/driver/nvml_types.h"
#include "result/result.h"

namespace warpshare::platform::nvml {

// Left open for ever: the library may have left threads or handlers behind that run its code.
Result<void*> OpenLibrary(const std::string& driver_folder);

void* Symbol(void* library, const char* name);

template <typename Function>
bool Bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(Symbol(library, symbol));
  return function != nullptr;
}

}  // namespace warpshare::platform::nvml
