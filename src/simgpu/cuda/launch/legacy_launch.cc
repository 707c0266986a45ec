// Launches as CUDA 2 had them: block shape and arguments are set on the function first.
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/launch/launch.h"
#include "simgpu/cuda/module/function.h"

using simgpu::cuda::DefaultStream;
using simgpu::cuda::Function;
using simgpu::cuda::LegacyLaunch;
using simgpu::cuda::ResolveFunction;

namespace {

// Arguments matter to no simulated kernel; the calls only check what they are given.
CUresult CheckArgument(CUfunction handle, int offset) {
  Function* function = nullptr;
  SIMGPU_TRY(ResolveFunction(handle, &function));
  return offset >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult LaunchGrid(CUfunction handle, int width, int height, CUstream stream) {
  Function* function = nullptr;
  SIMGPU_TRY(ResolveFunction(handle, &function));
  SIMGPU_REQUIRE(width > 0 && height > 0, CUDA_ERROR_INVALID_VALUE);
  const LegacyLaunch set = function->legacy_launch();
  return simgpu::cuda::LaunchInStream(
      {.function = handle,
       .shape = {static_cast<unsigned>(width), static_cast<unsigned>(height), 1, set.block_x,
                 set.block_y, set.block_z, set.shared_bytes}},
      stream, DefaultStream::kLegacy);
}

}  // namespace

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  SIMGPU_REQUIRE(x > 0 && y > 0 && z > 0, CUDA_ERROR_INVALID_VALUE);
  found->ChangeLegacyLaunch([=](LegacyLaunch& launch) {
    launch.block_x = static_cast<unsigned>(x);
    launch.block_y = static_cast<unsigned>(y);
    launch.block_z = static_cast<unsigned>(z);
  });
  return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  Function* found = nullptr;
  SIMGPU_TRY(ResolveFunction(function, &found));
  found->ChangeLegacyLaunch([bytes](LegacyLaunch& launch) { launch.shared_bytes = bytes; });
  return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction function, unsigned) { return CheckArgument(function, 0); }

CUresult cuParamSeti(CUfunction function, int offset, unsigned) {
  return CheckArgument(function, offset);
}

CUresult cuParamSetf(CUfunction function, int offset, float) {
  return CheckArgument(function, offset);
}

CUresult cuParamSetv(CUfunction function, int offset, void* ptr, unsigned) {
  SIMGPU_TRY(CheckArgument(function, offset));
  return ptr != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunch(CUfunction function) { return LaunchGrid(function, 1, 1, nullptr); }

CUresult cuLaunchGrid(CUfunction function, int grid_width, int grid_height) {
  return LaunchGrid(function, grid_width, grid_height, nullptr);
}

CUresult cuLaunchGridAsync(CUfunction function, int grid_width, int grid_height, CUstream stream) {
  return LaunchGrid(function, grid_width, grid_height, stream);
}
