// Kernels.
#include "interposer/accounts/late_code.h"
#include "interposer/dispatch/driver.h"
#include "interposer/entry/submit.h"

using namespace warpshare::interposer;

namespace {

Work KernelOf(const CUlaunchConfig* config, CUfunction function) {
  if (config == nullptr) return work::Kernel(function, {});
  return work::Kernel(function,
                      work::ShapeOf(config->gridDimX, config->gridDimY, config->gridDimZ,
                                    config->blockDimX * config->blockDimY * config->blockDimZ,
                                    config->sharedMemBytes));
}

Work KernelOf(const CUDA_LAUNCH_PARAMS& launch) {
  return work::Kernel(
      launch.function,
      work::ShapeOf(launch.gridDimX, launch.gridDimY, launch.gridDimZ,
                    launch.blockDimX * launch.blockDimY * launch.blockDimZ, launch.sharedMemBytes));
}

// The block's shape is the function's own (cuFuncSetBlockShape).
Work GridOf(CUfunction function, int width, int height) {
  return work::Kernel(function, work::ShapeOf(static_cast<unsigned>(width),
                                              static_cast<unsigned>(height), 1, 0, 0));
}

template <typename MakeWork, typename Call>
[[gnu::always_inline]] inline CUresult Launch(CUfunction function, CUstream stream, MakeWork work,
                                              Call call) {
  return Submit(stream, work, [=] { return UseFunction(function, Use::kLaunch, stream, call); });
}

CUstream StreamOf(const CUlaunchConfig* config) {
  return config == nullptr ? nullptr : config->hStream;
}

// One kernel on each of several cards, which run only together.
template <typename Call>
CUresult SubmitAll(const CUDA_LAUNCH_PARAMS* launches, unsigned count, Call call) {
  if (launches == nullptr || count == 0) return call();
  return Submit(
      Legacy(launches->hStream), [=] { return KernelOf(*launches); },
      [=] { return SubmitAll(launches + 1, count - 1, call); });
}

}  // namespace

// A line each makes two hooks, as SUBMIT does.
#define LAUNCH_INTO(symbol, meaning, parameters, ...)                                              \
  WARPSHARE_HOOK CUresult symbol parameters {                                                      \
    return Launch(                                                                                 \
        function, meaning(stream),                                                                 \
        [=] {                                                                                      \
          return work::Kernel(function, work::ShapeOf(grid_x, grid_y, grid_z,                      \
                                                      block_x * block_y * block_z, shared_bytes)); \
        },                                                                                         \
        [=] { return REAL(symbol)(__VA_ARGS__); });                                                \
  }
#define LAUNCH(symbol, twin, parameters, ...)          \
  LAUNCH_INTO(symbol, Legacy, parameters, __VA_ARGS__) \
  LAUNCH_INTO(symbol##twin, PerThread, parameters, __VA_ARGS__)

LAUNCH(cuLaunchKernel, _ptsz,
       (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
        CUstream stream, void** parameters, void** extra),
       function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
       parameters, extra)

LAUNCH(cuLaunchCooperativeKernel, _ptsz,
       (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
        CUstream stream, void** parameters),
       function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
       parameters)

#undef LAUNCH

WARPSHARE_HOOK CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function,
                                         void** parameters, void** extra) {
  return Launch(
      function, Legacy(StreamOf(config)), [=] { return KernelOf(config, function); },
      [=] { return REAL(cuLaunchKernelEx)(config, function, parameters, extra); });
}
WARPSHARE_HOOK CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction function,
                                              void** parameters, void** extra) {
  return Launch(
      function, PerThread(StreamOf(config)), [=] { return KernelOf(config, function); },
      [=] { return REAL(cuLaunchKernelEx_ptsz)(config, function, parameters, extra); });
}

WARPSHARE_HOOK CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launches,
                                                             unsigned int count,
                                                             unsigned int flags) {
  return SubmitAll(launches, count, [=] {
    return REAL(cuLaunchCooperativeKernelMultiDevice)(launches, count, flags);
  });
}

WARPSHARE_HOOK CUresult cuLaunch(CUfunction function) {
  return Submit(
      CU_STREAM_LEGACY, [=] { return GridOf(function, 1, 1); },
      [=] { return REAL(cuLaunch)(function); });
}
WARPSHARE_HOOK CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return Submit(
      CU_STREAM_LEGACY, [=] { return GridOf(function, width, height); },
      [=] { return REAL(cuLaunchGrid)(function, width, height); });
}
WARPSHARE_HOOK CUresult cuLaunchGridAsync(CUfunction function, int width, int height,
                                          CUstream stream) {
  return Submit(
      Legacy(stream), [=] { return GridOf(function, width, height); },
      [=] { return REAL(cuLaunchGridAsync)(function, width, height, stream); });
}
