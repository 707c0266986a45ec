// External memory: the only other interface here is this driver's own, so descriptors that
// cuMemExportToShareableHandle made can be imported, and nothing else.
#include <unistd.h>

#include <memory>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/ipc/api.h"
#include "simgpu/cuda/memory/extent_view.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

class ExternalMemory
    : public Handled<ExternalMemory, CUexternalMemory, HandleKind::kExternalMemory> {
 public:
  ExternalMemory(const world::Extent& extent, uint64_t bytes) : extent_(extent), bytes_(bytes) {}
  ~ExternalMemory() { world::World::Instance().memory().Release(extent_); }

  const world::Extent& extent() const { return extent_; }
  uint64_t bytes() const { return bytes_; }

 private:
  const world::Extent extent_;
  const uint64_t bytes_;
};

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuImportExternalMemory(CUexternalMemory* memory,
                                              const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* desc) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(memory != nullptr && desc != nullptr && desc->size != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(desc->type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, CUDA_ERROR_NOT_SUPPORTED);
  simgpu::world::Memory& card_memory = simgpu::world::World::Instance().memory();
  const auto extent = card_memory.ImportFd(desc->handle.fd);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_INVALID_HANDLE);
  if (desc->size > extent->bytes) {
    card_memory.Release(*extent);
    return CUDA_ERROR_INVALID_VALUE;
  }
  close(desc->handle.fd);  // the driver's, once the import has succeeded
  *memory = (new ExternalMemory(*extent, desc->size))->handle();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuDestroyExternalMemory(CUexternalMemory memory) {
  SIMGPU_TRY(Ready());
  const std::unique_ptr<ExternalMemory> found(ExternalMemory::From(memory));
  return found != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

// Freed by cuMemFree; outlives the external memory object.
SIMGPU_EXPORT CUresult cuExternalMemoryGetMappedBuffer(
    CUdeviceptr* pointer, CUexternalMemory memory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* desc) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  const ExternalMemory* const found = ExternalMemory::From(memory);
  SIMGPU_REQUIRE(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
  SIMGPU_REQUIRE(pointer != nullptr && desc != nullptr && desc->flags == 0,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(desc->size != 0 && desc->offset <= found->bytes() &&
                     desc->size <= found->bytes() - desc->offset,
                 CUDA_ERROR_INVALID_VALUE);
  simgpu::world::Memory& card_memory = simgpu::world::World::Instance().memory();
  const auto extent = card_memory.Hold(card_memory.NameOf(found->extent()));
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_INVALID_HANDLE);
  return MapView(
      *context,
      {.extent = *extent, .offset = desc->offset, .bytes = desc->size, .origin = Origin::kExternal},
      pointer);
}
