// Lists of devices that are near something: of the tenant's own only. With another one's handle
// every question about that card would be answered.
#include "interposer/dispatch/driver.h"
#include "interposer/nvml/tenant_view.h"

namespace {

using warpshare::interposer::TenantView;

// The driver's answer, cut down. How the caller learns how many there are is not alike for all
// lists: as the driver does it, which is asked for that first.
template <typename Ask>
nvmlReturn_t ListOwn(Ask ask, unsigned int* count, nvmlDevice_t* devices) {
  constexpr unsigned int kMost = 128;
  const TenantView* view = TenantView::Current();
  if (view == nullptr || count == nullptr) return ask(count, devices);
  unsigned int all_count = 0;
  const nvmlReturn_t counted = ask(&all_count, nullptr);
  if (counted != NVML_SUCCESS && counted != NVML_ERROR_INSUFFICIENT_SIZE) return counted;
  nvmlDevice_t all[kMost];
  if (all_count > kMost) return NVML_ERROR_MEMORY;
  if (const nvmlReturn_t result = all_count == 0 ? NVML_SUCCESS : ask(&all_count, all);
      result != NVML_SUCCESS)
    return result;
  const unsigned int room = devices == nullptr ? 0 : *count;
  unsigned int own = 0;
  for (unsigned int i = 0; i < all_count; ++i) {
    if (view->FindDevice(all[i]) < 0) continue;  // they are whole cards
    if (own < room) devices[own] = all[i];
    ++own;
  }
  const bool fits = own <= room;
  *count = fits || room == 0 || counted != NVML_SUCCESS ? own : room;
  return fits ? NVML_SUCCESS : counted;
}

}  // namespace

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device,
                                                             nvmlGpuTopologyLevel_t level,
                                                             unsigned int* count,
                                                             nvmlDevice_t* devices) {
  const auto ask = [=](unsigned int* all_count, nvmlDevice_t* all) {
    return REAL_NVML(nvmlDeviceGetTopologyNearestGpus)(device, level, all_count, all);
  };
  return ListOwn(ask, count, devices);
}

WARPSHARE_HOOK nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned int processor, unsigned int* count,
                                                        nvmlDevice_t* devices) {
  const auto ask = [=](unsigned int* all_count, nvmlDevice_t* all) {
    return REAL_NVML(nvmlSystemGetTopologyGpuSet)(processor, all_count, all);
  };
  return ListOwn(ask, count, devices);
}

WARPSHARE_HOOK nvmlReturn_t nvmlUnitGetDevices(nvmlUnit_t unit, unsigned int* count,
                                               nvmlDevice_t* devices) {
  const auto ask = [=](unsigned int* all_count, nvmlDevice_t* all) {
    return REAL_NVML(nvmlUnitGetDevices)(unit, all_count, all);
  };
  return ListOwn(ask, count, devices);
}
