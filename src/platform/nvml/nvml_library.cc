#include "platform/nvml/nvml_library.h"

#include <dlfcn.h>

#include <cstring>
#include <string_view>

#include "abi/names/env.h"
#include "types/printable.h"

namespace warpshare::platform::nvml {

Result<void*> OpenLibrary(const std::string& driver_folder) {
  const std::string path = driver_folder + "/" + abi::kNvmlSoname;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Fail(Errc::kNotFound,
                "cannot load " + path + " (" + Printable(dlerror()) + "): run: warpshare doctor");
  return library;
}

void* Symbol(void* library, const char* name) { return dlsym(library, name); }

bool BindBasics(void* library, Basics& nvml) {
  return Bind(library, "nvmlInit_v2", nvml.init) && Bind(library, "nvmlShutdown", nvml.shutdown) &&
         Bind(library, "nvmlDeviceGetCount_v2", nvml.count) &&
         Bind(library, "nvmlDeviceGetHandleByIndex_v2", nvml.handle) &&
         Bind(library, "nvmlDeviceGetUUID", nvml.uuid);
}

std::optional<GpuUuid> UuidOf(const Basics& nvml, nvmlDevice_t device) {
  char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE] = {};
  if (nvml.uuid(device, uuid, sizeof(uuid)) != NVML_SUCCESS) return std::nullopt;
  return ParseGpuUuid(std::string_view(uuid, strnlen(uuid, sizeof(uuid))));
}

}  // namespace warpshare::platform::nvml
