// Signatures of driver functions that the interposer calls besides the one it stands in front of.
// For REAL(f) only: a direct call would go to our own export. Append what you need, in the order of
// entry_points.def.
#pragma once

#include "abi/driver/cuda_driver.h"
#include "abi/driver/cuda_types.h"

#pragma GCC visibility push(default)
extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags);
CUresult cuInit(unsigned int flags);

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuCtxDestroy_v2(CUcontext context);
CUresult cuCtxFromGreenCtx(CUcontext* context, CUgreenCtx green);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetLimit(size_t* value, CUlimit limit);
CUresult cuCtxPopCurrent_v2(CUcontext* context);
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuGreenCtxDestroy(CUgreenCtx context);

CUresult cuLibraryUnload(CUlibrary library);
CUresult cuFuncLoad(CUfunction function);
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel);
CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library);
CUresult cuModuleUnload(CUmodule module);

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes);
CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                            unsigned int element_bytes);
CUresult cuMemFree_v2(CUdeviceptr pointer);
CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle);
CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes);
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer);

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                CUmemAllocationType type);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep);

CUresult cuMemRelease(CUmemGenericAllocationHandle handle);

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor);
CUresult cuArrayDestroy(CUarray array);
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements, CUarray array,
                                      CUdevice device);
CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                unsigned int levels);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray array);
CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements,
                                               CUmipmappedArray array, CUdevice device);

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context);
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device);
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status);
CUresult cuStreamQuery(CUstream stream);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* argument);

CUresult cuEventCreate(CUevent* event, unsigned int flags);
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuEventQuery(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value);
CUresult cuDeviceGraphMemTrim(CUdevice device);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph);
CUresult cuGraphExecDestroy(CUgraphExec exec);
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* params);
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type);
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* params);
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream);

}  // extern "C"
#pragma GCC visibility pop
