#include "simgpu/cuda/array/array.h"

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

// Storage is an entry of the allocation map like any other, so that it goes with its context. Its
// token is the array, which goes with it.
template <class Object>
class StorageOwner : public AllocationOwner {
 public:
  void TakeBack(const Allocation& allocation) override {
    delete static_cast<Object*>(allocation.token);
    world::World::Instance().memory().Free(reinterpret_cast<void*>(allocation.base));
  }
};

StorageOwner<Array> array_owner;
StorageOwner<MipmappedArray> mipmap_owner;

// Memory of the card for `bytes` of array data, not yet anybody's.
CUresult TakeStorage(Context& context, size_t bytes, Allocation* storage) {
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
  if (AllocationMap::Instance().InsertIn(context, storage)) return CUDA_SUCCESS;
  GiveBack(storage);
  return CUDA_ERROR_UNKNOWN;
}

// `data` begins the storage of an array, unless it is a level inside a mipmapped array's.
CUresult DestroyStorage(std::byte* data, const void* token) {
  AllocationMap& map = AllocationMap::Instance();
  const auto found = map.Find(reinterpret_cast<uintptr_t>(data));
  SIMGPU_REQUIRE(found.has_value() && found->token == token, CUDA_ERROR_INVALID_HANDLE);
  const auto storage = map.Take(found->base, {Origin::kArray});
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
  SIMGPU_TRY(TakeStorage(context, layout.bytes(), &storage));
  auto* const made =
      new Array(descriptor, layout, reinterpret_cast<std::byte*>(storage.base), context.card());
  storage.owner = &array_owner;
  storage.token = made;
  SIMGPU_TRY(Keep(context, storage));
  *array = made->handle();
  return CUDA_SUCCESS;
}

CUresult Array::Destroy(CUarray handle) {
  Array* const array = From(handle);
  SIMGPU_REQUIRE(array != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return DestroyStorage(array->data_, array);
}

MipmappedArray::MipmappedArray(const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                               const std::vector<ArrayLayout>& layouts, std::byte* data, int card)
    : data_(data), card_(card) {
  for (unsigned level = 0; level < layouts.size(); level++) {
    const ArrayLayout& layout = layouts[level];
    levels_.push_back(std::make_unique<Array>(DescriptorOfLevel(descriptor, level), layout,
                                              data + layout.offset, card));
    bytes_ = ChargedBytes(layout.offset + layout.bytes());
  }
}

CUresult MipmappedArray::Create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                                unsigned levels, CUmipmappedArray* array) {
  std::vector<ArrayLayout> layouts;
  SIMGPU_TRY(LayOutLevels(descriptor, levels, &layouts));
  Allocation storage;
  SIMGPU_TRY(TakeStorage(context, layouts.back().offset + layouts.back().bytes(), &storage));
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
  return DestroyStorage(array->data_, array);
}

}  // namespace simgpu::cuda
