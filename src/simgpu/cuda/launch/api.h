// Launches and occupancy.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
SIMGPU_EXPORT CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes);
SIMGPU_EXPORT CUresult cuLaunch(CUfunction function);
SIMGPU_EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x,
                                                 unsigned grid_y, unsigned grid_z, unsigned block_x,
                                                 unsigned block_y, unsigned block_z,
                                                 unsigned shared_bytes, CUstream stream,
                                                 void** arguments);
SIMGPU_EXPORT CUresult cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned grid_x,
                                                      unsigned grid_y, unsigned grid_z,
                                                      unsigned block_x, unsigned block_y,
                                                      unsigned block_z, unsigned shared_bytes,
                                                      CUstream stream, void** arguments);
SIMGPU_EXPORT CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launch_params_list,
                                                            unsigned num_devices, unsigned flags);
SIMGPU_EXPORT CUresult cuLaunchGrid(CUfunction function, int grid_width, int grid_height);
SIMGPU_EXPORT CUresult cuLaunchGridAsync(CUfunction function, int grid_width, int grid_height,
                                         CUstream stream);
SIMGPU_EXPORT CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data);
SIMGPU_EXPORT CUresult cuLaunchHostFunc_ptsz(CUstream stream, CUhostFn function, void* user_data);
SIMGPU_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y,
                                      unsigned block_z, unsigned shared_bytes, CUstream stream,
                                      void** arguments, void** extra);
SIMGPU_EXPORT CUresult cuLaunchKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y,
                                           unsigned grid_z, unsigned block_x, unsigned block_y,
                                           unsigned block_z, unsigned shared_bytes, CUstream stream,
                                           void** arguments, void** extra);
SIMGPU_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function,
                                        void** arguments, void** extra);
SIMGPU_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction function,
                                             void** arguments, void** extra);
SIMGPU_EXPORT CUresult cuParamSetSize(CUfunction function, unsigned numbytes);
SIMGPU_EXPORT CUresult cuParamSetTexRef(CUfunction function, int texunit, CUtexref tex_ref);
SIMGPU_EXPORT CUresult cuParamSetf(CUfunction function, int offset, float value);
SIMGPU_EXPORT CUresult cuParamSeti(CUfunction function, int offset, unsigned value);
SIMGPU_EXPORT CUresult cuParamSetv(CUfunction function, int offset, void* ptr, unsigned numbytes);
SIMGPU_EXPORT CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_smem_size,
                                                               CUfunction func, int num_blocks,
                                                               int block_size);
SIMGPU_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* num_blocks, CUfunction func,
                                                                   int block_size,
                                                                   size_t dynamic_smem_size);
SIMGPU_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* num_blocks, CUfunction func, int block_size, size_t dynamic_smem_size, unsigned flags);
SIMGPU_EXPORT CUresult cuOccupancyMaxActiveClusters(int* num_clusters, CUfunction func,
                                                    const CUlaunchConfig* config);
SIMGPU_EXPORT CUresult
cuOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, CUfunction func,
                                 CUoccupancyB2DSize block_size_to_dynamic_smem_size,
                                 size_t dynamic_smem_size, int block_size_limit);
SIMGPU_EXPORT CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int* min_grid_size, int* block_size, CUfunction func,
    CUoccupancyB2DSize block_size_to_dynamic_smem_size, size_t dynamic_smem_size,
    int block_size_limit, unsigned flags);
SIMGPU_EXPORT CUresult cuOccupancyMaxPotentialClusterSize(int* cluster_size, CUfunction func,
                                                          const CUlaunchConfig* config);
