// Arrays, mipmapped arrays, texture and surface objects, tensor maps.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuArray3DCreate(CUarray* handle,
                                       const CUDA_ARRAY3D_DESCRIPTOR_v1* descriptor);
SIMGPU_EXPORT CUresult cuArray3DCreate_v2(CUarray* handle,
                                          const CUDA_ARRAY3D_DESCRIPTOR* descriptor);
SIMGPU_EXPORT CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR_v1* descriptor,
                                              CUarray array);
SIMGPU_EXPORT CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                                 CUarray array);
SIMGPU_EXPORT CUresult cuArrayCreate(CUarray* handle, const CUDA_ARRAY_DESCRIPTOR_v1* descriptor);
SIMGPU_EXPORT CUresult cuArrayCreate_v2(CUarray* handle, const CUDA_ARRAY_DESCRIPTOR* descriptor);
SIMGPU_EXPORT CUresult cuArrayDestroy(CUarray array);
SIMGPU_EXPORT CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR_v1* descriptor, CUarray array);
SIMGPU_EXPORT CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array);
SIMGPU_EXPORT CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements,
                                                    CUarray array, CUdevice device);
SIMGPU_EXPORT CUresult cuArrayGetPlane(CUarray* plane, CUarray array, unsigned index);
SIMGPU_EXPORT CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* properties,
                                                  CUarray array);
SIMGPU_EXPORT CUresult cuMipmappedArrayCreate(CUmipmappedArray* handle,
                                              const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                              unsigned levels);
SIMGPU_EXPORT CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap);
SIMGPU_EXPORT CUresult cuMipmappedArrayGetLevel(CUarray* array, CUmipmappedArray mipmap,
                                                unsigned level);
SIMGPU_EXPORT CUresult cuMipmappedArrayGetMemoryRequirements(
    CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements, CUmipmappedArray mipmap, CUdevice device);
SIMGPU_EXPORT CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* properties,
                                                           CUmipmappedArray mipmap);
SIMGPU_EXPORT CUresult cuSurfObjectCreate(CUsurfObject* surface,
                                          const CUDA_RESOURCE_DESC* resource);
SIMGPU_EXPORT CUresult cuSurfObjectDestroy(CUsurfObject surface);
SIMGPU_EXPORT CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource,
                                                   CUsurfObject surface);
SIMGPU_EXPORT CUresult cuTensorMapEncodeIm2col(
    CUtensorMap* map, CUtensorMapDataType type, uint32_t rank, void* address, const uint64_t* sizes,
    const uint64_t* strides, const int* lower_corner, const int* upper_corner, uint32_t channels,
    uint32_t pixels, const uint32_t* element_strides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
SIMGPU_EXPORT CUresult cuTensorMapEncodeIm2colWide(
    CUtensorMap* map, CUtensorMapDataType type, uint32_t rank, void* address, const uint64_t* sizes,
    const uint64_t* strides, int lower_width, int upper_width, uint32_t channels, uint32_t pixels,
    const uint32_t* element_strides, CUtensorMapInterleave interleave,
    CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill);
SIMGPU_EXPORT CUresult cuTensorMapEncodeTiled(
    CUtensorMap* map, CUtensorMapDataType type, uint32_t rank, void* address, const uint64_t* sizes,
    const uint64_t* strides, const uint32_t* box, const uint32_t* element_strides,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill);
SIMGPU_EXPORT CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address);
SIMGPU_EXPORT CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                                         const CUDA_TEXTURE_DESC* description,
                                         const CUDA_RESOURCE_VIEW_DESC* view);
SIMGPU_EXPORT CUresult cuTexObjectDestroy(CUtexObject texture);
SIMGPU_EXPORT CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource,
                                                  CUtexObject texture);
SIMGPU_EXPORT CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view,
                                                      CUtexObject texture);
SIMGPU_EXPORT CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description,
                                                 CUtexObject texture);
