#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/launch/launch.h"

using simgpu::cuda::DefaultStream;
using simgpu::cuda::LaunchInStream;
using simgpu::cuda::LaunchShape;

namespace {

CUlaunchAttribute Cooperative() {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  return attribute;
}

CUresult LaunchCooperative(CUfunction function, const LaunchShape& shape, CUstream stream,
                           DefaultStream mode, void** arguments) {
  const CUlaunchAttribute cooperative = Cooperative();
  return LaunchInStream({.function = function,
                         .shape = shape,
                         .arguments = arguments,
                         .attributes = &cooperative,
                         .attribute_count = 1},
                        stream, mode);
}

CUresult LaunchConfigured(const CUlaunchConfig* config, CUfunction function, void** arguments,
                          void** extra, DefaultStream mode) {
  SIMGPU_TRY(simgpu::cuda::Ready());
  SIMGPU_REQUIRE(config != nullptr, CUDA_ERROR_INVALID_VALUE);
  return LaunchInStream(
      {.function = function,
       .shape = {config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                 config->blockDimY, config->blockDimZ, config->sharedMemBytes},
       .arguments = arguments,
       .extra = extra,
       .attributes = config->attrs,
       .attribute_count = config->numAttrs},
      config->hStream, mode);
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** arguments, void** extra) {
  return LaunchInStream({.function = function,
                         .shape = {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes},
                         .arguments = arguments,
                         .extra = extra},
                        stream, DefaultStream::kLegacy);
}
CUresult cuLaunchKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned shared_bytes, CUstream stream, void** arguments,
                             void** extra) {
  return LaunchInStream({.function = function,
                         .shape = {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes},
                         .arguments = arguments,
                         .extra = extra},
                        stream, DefaultStream::kPerThread);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                          void** extra) {
  return LaunchConfigured(config, function, arguments, extra, DefaultStream::kLegacy);
}
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction function, void** arguments,
                               void** extra) {
  return LaunchConfigured(config, function, arguments, extra, DefaultStream::kPerThread);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void** arguments) {
  return LaunchCooperative(function,
                           {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes},
                           stream, DefaultStream::kLegacy, arguments);
}
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned block_x, unsigned block_y,
                                        unsigned block_z, unsigned shared_bytes, CUstream stream,
                                        void** arguments) {
  return LaunchCooperative(function,
                           {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes},
                           stream, DefaultStream::kPerThread, arguments);
}

// One launch a device, each in a stream of its own; default streams are not allowed.
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launch_params_list,
                                              unsigned num_devices, unsigned flags) {
  SIMGPU_TRY(simgpu::cuda::Ready());
  constexpr unsigned kKnownFlags = CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC |
                                   CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
  SIMGPU_REQUIRE(launch_params_list != nullptr && num_devices > 0 && (flags & ~kKnownFlags) == 0,
                 CUDA_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < num_devices; ++i) {
    const CUDA_LAUNCH_PARAMS& one = launch_params_list[i];
    SIMGPU_REQUIRE(simgpu::cuda::Stream::From(one.hStream) != nullptr, CUDA_ERROR_INVALID_HANDLE);
    SIMGPU_TRY(LaunchCooperative(one.function,
                                 {one.gridDimX, one.gridDimY, one.gridDimZ, one.blockDimX,
                                  one.blockDimY, one.blockDimZ, one.sharedMemBytes},
                                 one.hStream, DefaultStream::kLegacy, one.kernelParams));
  }
  return CUDA_SUCCESS;
}
