// Start of NVML, and of the tenant's view.
#include "interposer/dispatch/driver.h"
#include "interposer/nvml/tenant_view.h"

namespace {

using warpshare::interposer::HasDriver;
using warpshare::interposer::TenantView;

template <typename Initialise>
nvmlReturn_t InitialiseWithView(Initialise real) {
  TenantView* view = HasDriver() ? TenantView::Current() : nullptr;
  if (view != nullptr && view->IsClosed()) return NVML_ERROR_OPERATING_SYSTEM;  // as cuInit
  const nvmlReturn_t result = real();
  if (result == NVML_SUCCESS && view != nullptr) view->LearnDevices();
  return result;
}

}  // namespace

WARPSHARE_HOOK nvmlReturn_t nvmlInit() { return InitialiseWithView(REAL_NVML(nvmlInit)); }
WARPSHARE_HOOK nvmlReturn_t nvmlInit_v2() { return InitialiseWithView(REAL_NVML(nvmlInit_v2)); }
WARPSHARE_HOOK nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  return InitialiseWithView([flags] { return REAL_NVML(nvmlInitWithFlags)(flags); });
}
