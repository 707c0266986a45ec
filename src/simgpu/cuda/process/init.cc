#include <atomic>
#include <mutex>

#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/result.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

std::atomic<bool> g_initialized{false};

CUresult Initialize() {
  static std::mutex* const mutex = new std::mutex;
  const std::lock_guard lock(*mutex);
  if (g_initialized.load(std::memory_order_relaxed)) return CUDA_SUCCESS;
  if (!world::World::Instance().ok()) return CUDA_ERROR_OPERATING_SYSTEM;
  if (VisibleCards().empty()) return CUDA_ERROR_NO_DEVICE;
  g_initialized.store(true, std::memory_order_release);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult Ready() {
  if (!g_initialized.load(std::memory_order_acquire)) return CUDA_ERROR_NOT_INITIALIZED;
  return world::World::ForkedChild() ? CUDA_ERROR_NOT_INITIALIZED : CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

CUresult cuInit(unsigned flags) {
  if (simgpu::world::World::ForkedChild()) return CUDA_ERROR_NOT_INITIALIZED;
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return simgpu::cuda::Initialize();
}

CUresult cuDriverGetVersion(int* driver_version) {
  SIMGPU_REQUIRE(driver_version != nullptr, CUDA_ERROR_INVALID_VALUE);
  *driver_version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

// The driver's private tables are NVIDIA's own; the simulator does not imitate them.
CUresult cuGetExportTable(const void** export_table, const CUuuid* export_table_id) {
  SIMGPU_REQUIRE(export_table != nullptr && export_table_id != nullptr, CUDA_ERROR_INVALID_VALUE);
  *export_table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}
