// Which devices there are: the tenant's, counted from 0 in its own order. Another tenant's card is
// not found.
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/nvml_functions.h"
#include "interposer/nvml/tenant_view.h"

namespace {

using warpshare::interposer::TenantView;

nvmlReturn_t Count(nvmlReturn_t (*real)(unsigned int*), unsigned int* count) {
  const nvmlReturn_t result = real(count);
  TenantView* view = TenantView::Current();
  if (result == NVML_SUCCESS && view != nullptr) *count = view->device_count();
  return result;
}

nvmlReturn_t ByIndex(nvmlReturn_t (*real)(unsigned int, nvmlDevice_t*), unsigned int index,
                     nvmlDevice_t* device) {
  TenantView* view = TenantView::Current();
  if (view == nullptr) return real(index, device);
  if (index < view->device_count()) return real(view->DriverIndexOf(index), device);
  // Not a device: the driver says whether that is the worst of it.
  unsigned int count = 0;
  const nvmlReturn_t result = REAL_NVML(nvmlDeviceGetCount_v2)(&count);
  return result == NVML_SUCCESS ? NVML_ERROR_INVALID_ARGUMENT : result;
}

// Whether that can be the name of a part of a card (a MIG device), which is the tenant's if the
// card is. Of a whole one the driver is not asked that: it may be somebody else's, which hangs.
bool MayBeOfPart(const char* name) { return __builtin_strncmp(name, "MIG-", 4) == 0; }
bool MayBeOfPart(const nvmlUUID_t* uuid) {
  return uuid->type != NVML_UUID_TYPE_ASCII || MayBeOfPart(uuid->value.str);
}

// By whatever identity: looked up by the driver, then held against the tenant's cards.
template <typename Identity>
nvmlReturn_t ByIdentity(nvmlReturn_t (*real)(Identity, nvmlDevice_t*), Identity identity,
                        nvmlDevice_t* device) {
  TenantView* view = TenantView::Current();
  if (view == nullptr || device == nullptr) return real(identity, device);
  nvmlDevice_t found = nullptr;
  const nvmlReturn_t result = real(identity, &found);
  if (result != NVML_SUCCESS) return result;
  const int own = MayBeOfPart(identity) ? view->IndexOf(found) : view->FindDevice(found);
  if (own < 0) return NVML_ERROR_NOT_FOUND;
  *device = found;
  return result;
}

}  // namespace

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetCount(unsigned int* count) {
  return Count(REAL_NVML(nvmlDeviceGetCount), count);
}
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  return Count(REAL_NVML(nvmlDeviceGetCount_v2), count);
}

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* device) {
  return ByIndex(REAL_NVML(nvmlDeviceGetHandleByIndex), index, device);
}
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index,
                                                          nvmlDevice_t* device) {
  return ByIndex(REAL_NVML(nvmlDeviceGetHandleByIndex_v2), index, device);
}

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* bus_id,
                                                          nvmlDevice_t* device) {
  return ByIdentity(REAL_NVML(nvmlDeviceGetHandleByPciBusId), bus_id, device);
}
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id,
                                                             nvmlDevice_t* device) {
  return ByIdentity(REAL_NVML(nvmlDeviceGetHandleByPciBusId_v2), bus_id, device);
}
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetHandleBySerial(const char* serial, nvmlDevice_t* device) {
  return ByIdentity(REAL_NVML(nvmlDeviceGetHandleBySerial), serial, device);
}
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  return ByIdentity(REAL_NVML(nvmlDeviceGetHandleByUUID), uuid, device);
}
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t* uuid,
                                                       nvmlDevice_t* device) {
  return ByIdentity(REAL_NVML(nvmlDeviceGetHandleByUUIDV), uuid, device);
}

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  const nvmlReturn_t result = REAL_NVML(nvmlDeviceGetIndex)(device, index);
  TenantView* view = TenantView::Current();
  if (result != NVML_SUCCESS || view == nullptr) return result;
  const int own = view->FindDevice(device);
  if (own >= 0) *index = static_cast<unsigned int>(own);
  return result;
}
