// Texture and surface objects: what they describe is checked and told back. Kernels are not
// executed, so nobody reads through them.
#include <memory>
#include <optional>

#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/array/array.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/memory/range.h"

namespace simgpu::cuda {
namespace {

struct Texture : public Handled<Texture, CUtexObject, HandleKind::kTexture> {
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC description = {};
  std::optional<CUDA_RESOURCE_VIEW_DESC> view;
};

struct Surface : public Handled<Surface, CUsurfObject, HandleKind::kSurface> {
  CUDA_RESOURCE_DESC resource = {};
};

CUresult CheckMemory(CUdeviceptr pointer, size_t bytes) {
  SIMGPU_REQUIRE(bytes != 0, CUDA_ERROR_INVALID_VALUE);
  Allocation first;
  return CheckRange(pointer, bytes, Touch::kRead, &first);
}

CUresult CheckPitched(const CUDA_RESOURCE_DESC& resource) {
  const auto& pitched = resource.res.pitch2D;
  size_t bytes = 0;
  SIMGPU_REQUIRE(pitched.width != 0 && pitched.height != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!__builtin_mul_overflow(pitched.pitchInBytes, pitched.height - 1, &bytes) &&
                     !__builtin_add_overflow(bytes, pitched.width, &bytes),
                 CUDA_ERROR_INVALID_VALUE);
  return CheckMemory(pitched.devPtr, bytes);
}

CUresult CheckResource(const CUDA_RESOURCE_DESC& resource) {
  SIMGPU_REQUIRE(resource.flags == 0, CUDA_ERROR_INVALID_VALUE);
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      return Array::From(resource.res.array.hArray) != nullptr ? CUDA_SUCCESS
                                                               : CUDA_ERROR_INVALID_HANDLE;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      return MipmappedArray::From(resource.res.mipmap.hMipmappedArray) != nullptr
                 ? CUDA_SUCCESS
                 : CUDA_ERROR_INVALID_HANDLE;
    case CU_RESOURCE_TYPE_LINEAR:
      return CheckMemory(resource.res.linear.devPtr, resource.res.linear.sizeInBytes);
    case CU_RESOURCE_TYPE_PITCH2D:
      return CheckPitched(resource);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// The surface is written through: only an array made for that can be one.
CUresult CheckSurface(const CUDA_RESOURCE_DESC& resource) {
  SIMGPU_REQUIRE(resource.resType == CU_RESOURCE_TYPE_ARRAY, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckResource(resource));
  const Array* const array = Array::From(resource.res.array.hArray);
  SIMGPU_REQUIRE((array->descriptor().Flags & CUDA_ARRAY3D_SURFACE_LDST) != 0,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

template <class Object, class CuHandle>
CUresult FindObject(CuHandle handle, Object** object) {
  SIMGPU_TRY(Ready());
  *object = Object::From(handle);
  SIMGPU_REQUIRE(*object != nullptr, CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

template <class Value>
CUresult Tell(const Value& value, Value* answer) {
  SIMGPU_REQUIRE(answer != nullptr, CUDA_ERROR_INVALID_VALUE);
  *answer = value;
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                                         const CUDA_TEXTURE_DESC* description,
                                         const CUDA_RESOURCE_VIEW_DESC* view) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(texture != nullptr && resource != nullptr && description != nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckResource(*resource));
  auto* const made = new Texture;
  made->resource = *resource;
  made->description = *description;
  if (view != nullptr) made->view = *view;
  *texture = made->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuTexObjectDestroy(CUtexObject texture) {
  Texture* found = nullptr;
  SIMGPU_TRY(FindObject(texture, &found));
  delete found;
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource,
                                                  CUtexObject texture) {
  Texture* found = nullptr;
  SIMGPU_TRY(FindObject(texture, &found));
  return Tell(found->resource, resource);
}

SIMGPU_EXPORT CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description,
                                                 CUtexObject texture) {
  Texture* found = nullptr;
  SIMGPU_TRY(FindObject(texture, &found));
  return Tell(found->description, description);
}

SIMGPU_EXPORT CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view,
                                                      CUtexObject texture) {
  Texture* found = nullptr;
  SIMGPU_TRY(FindObject(texture, &found));
  SIMGPU_REQUIRE(found->view.has_value(), CUDA_ERROR_INVALID_VALUE);
  return Tell(*found->view, view);
}

SIMGPU_EXPORT CUresult cuSurfObjectCreate(CUsurfObject* surface,
                                          const CUDA_RESOURCE_DESC* resource) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(surface != nullptr && resource != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckSurface(*resource));
  auto* const made = new Surface;
  made->resource = *resource;
  *surface = made->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  Surface* found = nullptr;
  SIMGPU_TRY(FindObject(surface, &found));
  delete found;
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource,
                                                   CUsurfObject surface) {
  Surface* found = nullptr;
  SIMGPU_TRY(FindObject(surface, &found));
  return Tell(found->resource, resource);
}
