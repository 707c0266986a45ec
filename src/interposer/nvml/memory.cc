// A card's memory as the tenant sees it: the limit is the total, what its processes hold is used.
// What others hold does not show; it can only make less free.
#include "interposer/dispatch/driver.h"
#include "interposer/nvml/tenant_view.h"

namespace {

using warpshare::interposer::CardMemory;
using warpshare::interposer::TenantView;
using Bytes = unsigned long long;

Bytes Lesser(Bytes a, Bytes b) { return a < b ? a : b; }

// Fields of the same names in every version.
template <typename Memory>
bool Narrow(nvmlDevice_t device, Memory* memory) {
  TenantView* view = TenantView::Current();
  const int index = view == nullptr ? -1 : view->IndexOf(device);
  if (index < 0) return false;
  const CardMemory share = view->MemoryOf(static_cast<uint32_t>(index));
  if (share.limit == warpshare::abi::kNoLimit) return false;
  memory->total = Lesser(memory->total, share.limit);
  memory->used = share.used;
  memory->free = Lesser(memory->free, share.limit > share.used ? share.limit - share.used : 0);
  return true;
}

}  // namespace

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  const nvmlReturn_t result = REAL_NVML(nvmlDeviceGetMemoryInfo)(device, memory);
  if (result == NVML_SUCCESS) Narrow(device, memory);
  return result;
}

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device,
                                                       nvmlMemory_v2_t* memory) {
  const nvmlReturn_t result = REAL_NVML(nvmlDeviceGetMemoryInfo_v2)(device, memory);
  // What the driver keeps for itself is no part of a limit.
  if (result == NVML_SUCCESS && Narrow(device, memory)) memory->reserved = 0;
  return result;
}
