#include "simgpu/cuda/array/array.h"

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

// Storage is an entry of the allocation map like any other, so that it goes with its context. Its
// token is the array, which goes with it.
template <class Object>
class StorageOwner final : public AllocationOwner {
 public:
  void TakeBack(const Allocation& allocation) override {
    delete static_cast<Object*>(allocation.token);
    world::World::Instance().memory().Free(reinterpret_cast<void*>(allocation.base));
  }
};

StorageOwner<Array> array_owner;
StorageOwner<MipmappedArray> mipmap_owner;

// Memory of the card for `bytes` of array data, not yet anybody's. Base 0 for a deferred array.
CUresult TakeStorage(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, size_t bytes,
                     Allocation* storage) {
  if ((descriptor.Flags & CUDA_ARRAY3D_DEFERRED_MAPPING) != 0) return CUDA_SUCCESS;
  const auto memory =
      world::World::Instance().memory().Allocate(context.card(), ChargedBytes(bytes));
  SIMGPU_REQUIRE(memory.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
  storage->base = reinterpret_cast<uintptr_t>(memory->address);
  storage->bytes = ChargedBytes(bytes);
  storage->origin = Origin::kArray;
  storage->device = context.device();
  storage->card = context.card();
  return CUDA_SUCCESS;
}

CUresult Keep(Context& context, const Allocation& storage) {
  if (storage.base == 0) return CUDA_SUCCESS;
  if (AllocationMap::Instance().InsertIn(context, storage)) return CUDA_SUCCESS;
  GiveBack(storage);
  return CUDA_ERROR_UNKNOWN;
}

template <class Object>
CUresult DestroyWithStorage(Object* object) {
  if (object->data() == nullptr) {
    delete object;
    return CUDA_SUCCESS;
  }
  const auto storage =
      AllocationMap::Instance().Take(reinterpret_cast<uintptr_t>(object->data()), {Origin::kArray});
  SIMGPU_REQUIRE(storage.has_value(), CUDA_ERROR_INVALID_HANDLE);
  if (Context* const context = Context::From(storage->context)) context->Synchronize();
  GiveBack(*storage);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult Array::Create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                       CUarray* array) {
  ArrayLayout layout;
  SIMGPU_TRY(LayOut(descriptor, &layout));
  Allocation storage;
  SIMGPU_TRY(TakeStorage(context, descriptor, layout.bytes(), &storage));
  auto* const made = new Array(descriptor, layout, reinterpret_cast<std::byte*>(storage.base),
                               context.card(), Part::kWhole);
  storage.owner = &array_owner;
  storage.token = made;
  SIMGPU_TRY(Keep(context, storage));
  *array = made->handle();
  return CUDA_SUCCESS;
}

CUresult Array::Destroy(CUarray handle) {
  Array* const array = From(handle);
  SIMGPU_REQUIRE(array != nullptr && array->part_ == Part::kWhole, CUDA_ERROR_INVALID_HANDLE);
  return DestroyWithStorage(array);
}

MipmappedArray::MipmappedArray(const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                               const std::vector<ArrayLayout>& layouts, std::byte* data, int card)
    : data_(data), card_(card) {
  for (unsigned level = 0; level < layouts.size(); level++) {
    const ArrayLayout& layout = layouts[level];
    levels_.push_back(std::make_unique<Array>(DescriptorOfLevel(descriptor, level), layout,
                                              data == nullptr ? nullptr : data + layout.offset,
                                              card, Array::Part::kLevel));
    bytes_ = ChargedBytes(layout.offset + layout.bytes());
  }
}

CUresult MipmappedArray::Create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                                unsigned levels, CUmipmappedArray* array) {
  std::vector<ArrayLayout> layouts;
  SIMGPU_TRY(LayOutLevels(descriptor, levels, &layouts));
  Allocation storage;
  SIMGPU_TRY(
      TakeStorage(context, descriptor, layouts.back().offset + layouts.back().bytes(), &storage));
  auto* const made = new MipmappedArray(descriptor, layouts,
                                        reinterpret_cast<std::byte*>(storage.base), context.card());
  storage.owner = &mipmap_owner;
  storage.token = made;
  SIMGPU_TRY(Keep(context, storage));
  *array = made->handle();
  return CUDA_SUCCESS;
}

CUresult MipmappedArray::Destroy(CUmipmappedArray handle) {
  MipmappedArray* const array = From(handle);
  SIMGPU_REQUIRE(array != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return DestroyWithStorage(array);
}

}  // namespace simgpu::cuda
