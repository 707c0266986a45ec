// The functions that concern the process and the driver itself.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs* args);
SIMGPU_EXPORT CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int* tid);
SIMGPU_EXPORT CUresult cuCheckpointProcessGetState(int pid, CUprocessState* state);
SIMGPU_EXPORT CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs* args);
SIMGPU_EXPORT CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs* args);
SIMGPU_EXPORT CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs* args);
SIMGPU_EXPORT CUresult cuCoredumpGetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);
SIMGPU_EXPORT CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void* value,
                                                    size_t* size);
SIMGPU_EXPORT CUresult cuCoredumpSetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);
SIMGPU_EXPORT CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void* value,
                                                    size_t* size);
SIMGPU_EXPORT CUresult cuDriverGetVersion(int* driver_version);
SIMGPU_EXPORT CUresult cuGetErrorName(CUresult error, const char** text);
SIMGPU_EXPORT CUresult cuGetErrorString(CUresult error, const char** text);
SIMGPU_EXPORT CUresult cuGetExportTable(const void** export_table, const CUuuid* export_table_id);
SIMGPU_EXPORT CUresult cuInit(unsigned flags);
SIMGPU_EXPORT CUresult cuLogsCurrent(CUlogIterator* iterator, unsigned flags);
SIMGPU_EXPORT CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* path_to_file,
                                        unsigned flags);
SIMGPU_EXPORT CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size,
                                          unsigned flags);
SIMGPU_EXPORT CUresult cuLogsRegisterCallback(CUlogsCallback callback_func, void* user_data,
                                              CUlogsCallbackHandle* callback);
SIMGPU_EXPORT CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback);
SIMGPU_EXPORT CUresult cuProfilerInitialize(const char* config_file, const char* output_file,
                                            int output_mode);
SIMGPU_EXPORT CUresult cuProfilerStart();
SIMGPU_EXPORT CUresult cuProfilerStop();
