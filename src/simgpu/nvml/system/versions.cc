#include <cstdio>
#include <string>

#include "abi/driver/cuda_types.h"
#include "simgpu/nvml/session/answer.h"
#include "simgpu/nvml/system/api.h"

using simgpu::nvml::GiveText;
using simgpu::nvml::Ready;
using simgpu::world::World;

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned length) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  return GiveText(world->scenario().driver_version, version, length);
}

// The CUDA version it belongs to, then the driver's.
nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned length) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  const std::string text =
      std::to_string(CUDA_VERSION / 1000) + "." + world->scenario().driver_version;
  return GiveText(text, version, length);
}

// As the CUDA driver tells it, without asking that.
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(version != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  *version = CUDA_VERSION;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  return nvmlSystemGetCudaDriverVersion_v2(version);
}

nvmlReturn_t nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_t* branch, unsigned length) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(branch != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(branch->version == NVML_STRUCT_VERSION(SystemDriverBranchInfo, 1),
                 NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  SIMGPU_REQUIRE(length <= sizeof(branch->branch), NVML_ERROR_INVALID_ARGUMENT);
  const std::string& version = world->scenario().driver_version;
  return GiveText("r" + version.substr(0, version.find('.')) + "_00", branch->branch, length);
}
