#include "simgpu/smi/library.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace simgpu::smi {
namespace {

constexpr const char* kSoname = "libnvidia-ml.so.1";

// bin/simgpu-smi finds lib/simgpu/, in a build folder as where it is installed.
std::string InstalledBeside() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "lib" / "simgpu" / kSoname;
}

template <typename Function>
void Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

bool LoadNvml(Nvml* nvml, std::string* error) {
  void* library = dlopen(kSoname, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen(InstalledBeside().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    *error = std::string(kSoname) + " is neither where the loader looks nor at " +
             InstalledBeside() + "; set LD_LIBRARY_PATH to the folder it is in";
    return false;
  }
#define SIMGPU_SMI_FIND(name, ...) Find(library, #name, &nvml->name);
  SIMGPU_SMI_SYSTEM_FUNCTIONS(SIMGPU_SMI_FIND)
  SIMGPU_SMI_DEVICE_FUNCTIONS(SIMGPU_SMI_FIND)
  SIMGPU_SMI_FIND(nvmlErrorString)
#undef SIMGPU_SMI_FIND
  if (nvml->nvmlInit_v2 != nullptr) return true;
  *error = std::string(kSoname) + " was found, but it is no NVML: it has no nvmlInit_v2";
  return false;
}

}  // namespace simgpu::smi
