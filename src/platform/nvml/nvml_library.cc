#include "platform/nvml/nvml_library.h"

#include <dlfcn.h>

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

}  // namespace warpshare::platform::nvml
