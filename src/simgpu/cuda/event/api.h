// Events.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuEventCreate(CUevent* event, unsigned flags);
SIMGPU_EXPORT CUresult cuEventDestroy(CUevent event);
SIMGPU_EXPORT CUresult cuEventDestroy_v2(CUevent event);
SIMGPU_EXPORT CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
SIMGPU_EXPORT CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end);
SIMGPU_EXPORT CUresult cuEventQuery(CUevent event);
SIMGPU_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream);
SIMGPU_EXPORT CUresult cuEventRecord_ptsz(CUevent event, CUstream stream);
SIMGPU_EXPORT CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags);
SIMGPU_EXPORT CUresult cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned flags);
SIMGPU_EXPORT CUresult cuEventSynchronize(CUevent event);
SIMGPU_EXPORT CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event);
SIMGPU_EXPORT CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle);
