#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/array/array.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/graph/capture.h"

namespace simgpu::cuda {
namespace {

CUresult ContextForArrays(Context** context) {
  SIMGPU_TRY(CurrentContext(context));
  return RefuseWhileCapturing();
}

CUDA_ARRAY3D_DESCRIPTOR Widen(const CUDA_ARRAY3D_DESCRIPTOR_v1& narrow) {
  return {.Width = narrow.Width,
          .Height = narrow.Height,
          .Depth = narrow.Depth,
          .Format = narrow.Format,
          .NumChannels = narrow.NumChannels,
          .Flags = narrow.Flags};
}

CUDA_ARRAY3D_DESCRIPTOR Widen(const CUDA_ARRAY_DESCRIPTOR& flat) {
  return {.Width = flat.Width,
          .Height = flat.Height,
          .Depth = 0,
          .Format = flat.Format,
          .NumChannels = flat.NumChannels,
          .Flags = 0};
}

CUresult DescriptorOf(CUarray handle, CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  const Array* const array = Array::From(handle);
  SIMGPU_REQUIRE(array != nullptr, CUDA_ERROR_INVALID_HANDLE);
  *descriptor = array->descriptor();
  return CUDA_SUCCESS;
}

// Only arrays of deferred mapping tell.
CUresult Requirements(bool deferred, size_t bytes, CUdevice device,
                      CUDA_ARRAY_MEMORY_REQUIREMENTS* answer) {
  int card = -1;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(answer != nullptr && deferred, CUDA_ERROR_INVALID_VALUE);
  *answer = {};
  answer->size = ChargedBytes(bytes);
  answer->alignment = kArrayGranularity;
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuArray3DCreate_v2(CUarray* handle,
                                          const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForArrays(&context));
  SIMGPU_REQUIRE(handle != nullptr && descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Array::Create(*context, *descriptor, handle);
}

SIMGPU_EXPORT CUresult cuArray3DCreate(CUarray* handle,
                                       const CUDA_ARRAY3D_DESCRIPTOR_v1* descriptor) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_ARRAY3D_DESCRIPTOR wide = Widen(*descriptor);
  return cuArray3DCreate_v2(handle, &wide);
}

SIMGPU_EXPORT CUresult cuArrayCreate_v2(CUarray* handle, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_ARRAY3D_DESCRIPTOR wide = Widen(*descriptor);
  return cuArray3DCreate_v2(handle, &wide);
}

SIMGPU_EXPORT CUresult cuArrayCreate(CUarray* handle, const CUDA_ARRAY_DESCRIPTOR_v1* descriptor) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_ARRAY_DESCRIPTOR flat = {.Width = descriptor->Width,
                                      .Height = descriptor->Height,
                                      .Format = descriptor->Format,
                                      .NumChannels = descriptor->NumChannels};
  return cuArrayCreate_v2(handle, &flat);
}

SIMGPU_EXPORT CUresult cuArrayDestroy(CUarray array) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForArrays(&context));
  return Array::Destroy(array);
}

SIMGPU_EXPORT CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                                 CUarray array) {
  return DescriptorOf(array, descriptor);
}

SIMGPU_EXPORT CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR_v1* descriptor,
                                              CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR wide;
  SIMGPU_TRY(DescriptorOf(array, &wide));
  SIMGPU_REQUIRE(descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  *descriptor = {.Width = static_cast<unsigned>(wide.Width),
                 .Height = static_cast<unsigned>(wide.Height),
                 .Depth = static_cast<unsigned>(wide.Depth),
                 .Format = wide.Format,
                 .NumChannels = wide.NumChannels,
                 .Flags = wide.Flags};
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR wide;
  SIMGPU_TRY(DescriptorOf(array, &wide));
  SIMGPU_REQUIRE(descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  *descriptor = {.Width = wide.Width,
                 .Height = wide.Height,
                 .Format = wide.Format,
                 .NumChannels = wide.NumChannels};
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR_v1* descriptor, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR wide;
  SIMGPU_TRY(DescriptorOf(array, &wide));
  SIMGPU_REQUIRE(descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  *descriptor = {.Width = static_cast<unsigned>(wide.Width),
                 .Height = static_cast<unsigned>(wide.Height),
                 .Format = wide.Format,
                 .NumChannels = wide.NumChannels};
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements,
                                                    CUarray array, CUdevice device) {
  SIMGPU_TRY(Ready());
  const Array* const found = Array::From(array);
  SIMGPU_REQUIRE(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return Requirements(found->data() == nullptr, found->layout().bytes(), device, requirements);
}

// No format with planes is supported, so no array has any.
SIMGPU_EXPORT CUresult cuArrayGetPlane(CUarray* plane, CUarray array, unsigned) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(Array::From(array) != nullptr, CUDA_ERROR_INVALID_HANDLE);
  SIMGPU_REQUIRE(plane != nullptr, CUDA_ERROR_INVALID_VALUE);
  return CUDA_ERROR_INVALID_VALUE;
}

// No array is sparse.
SIMGPU_EXPORT CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray array) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(Array::From(array) != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return CUDA_ERROR_INVALID_VALUE;
}

SIMGPU_EXPORT CUresult cuMipmappedArrayCreate(CUmipmappedArray* handle,
                                              const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                              unsigned levels) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForArrays(&context));
  SIMGPU_REQUIRE(handle != nullptr && descriptor != nullptr, CUDA_ERROR_INVALID_VALUE);
  return MipmappedArray::Create(*context, *descriptor, levels, handle);
}

SIMGPU_EXPORT CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForArrays(&context));
  return MipmappedArray::Destroy(mipmap);
}

SIMGPU_EXPORT CUresult cuMipmappedArrayGetLevel(CUarray* array, CUmipmappedArray mipmap,
                                                unsigned level) {
  SIMGPU_TRY(Ready());
  const MipmappedArray* const found = MipmappedArray::From(mipmap);
  SIMGPU_REQUIRE(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
  SIMGPU_REQUIRE(array != nullptr && found->level(level) != nullptr, CUDA_ERROR_INVALID_VALUE);
  *array = found->level(level)->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMipmappedArrayGetMemoryRequirements(
    CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements, CUmipmappedArray mipmap, CUdevice device) {
  SIMGPU_TRY(Ready());
  const MipmappedArray* const found = MipmappedArray::From(mipmap);
  SIMGPU_REQUIRE(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return Requirements(found->data() == nullptr, found->bytes(), device, requirements);
}

SIMGPU_EXPORT CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*,
                                                           CUmipmappedArray mipmap) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(MipmappedArray::From(mipmap) != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return CUDA_ERROR_INVALID_VALUE;
}
