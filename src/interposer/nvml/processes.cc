// Processes on a card: the tenant's own with what each is charged, as far as the driver tells us
// pids that mean something here (own_entries.h).
#include "interposer/dispatch/driver.h"
#include "interposer/nvml/own_entries.h"
#include "interposer/nvml/tenant_view.h"

namespace {

using warpshare::interposer::EntryList;
using warpshare::interposer::TenantView;

template <typename Entry>
using ListFunction = nvmlReturn_t(nvmlDevice_t, unsigned int*, Entry*);

template <typename Entry>
nvmlReturn_t List(ListFunction<Entry>* real, nvmlDevice_t device, unsigned int* count,
                  Entry* entries) {
  TenantView* view = TenantView::Current();
  if (view == nullptr || count == nullptr) return real(device, count, entries);
  EntryList<Entry> list;
  const nvmlReturn_t result =
      list.Fetch([&](Entry* all, unsigned int* all_count) { return real(device, all_count, all); });
  if (result != NVML_SUCCESS) return result;
  list.KeepOwn(*view);
  list.TellCharged(*view, view->IndexOf(device));
  return list.Deliver(entries, count);
}

}  // namespace

#define LIST_HOOK(symbol, Entry)                                                     \
  WARPSHARE_HOOK nvmlReturn_t symbol(nvmlDevice_t device, unsigned int* count,       \
                                     nvmlProcessInfo_##Entry* entries) {             \
    return List<nvmlProcessInfo_##Entry>(REAL_NVML(symbol), device, count, entries); \
  }
LIST_HOOK(nvmlDeviceGetComputeRunningProcesses, v1_t)
LIST_HOOK(nvmlDeviceGetComputeRunningProcesses_v2, v2_t)
LIST_HOOK(nvmlDeviceGetComputeRunningProcesses_v3, v2_t)
LIST_HOOK(nvmlDeviceGetGraphicsRunningProcesses, v1_t)
LIST_HOOK(nvmlDeviceGetGraphicsRunningProcesses_v2, v2_t)
LIST_HOOK(nvmlDeviceGetGraphicsRunningProcesses_v3, v2_t)
LIST_HOOK(nvmlDeviceGetMPSComputeRunningProcesses, v1_t)
LIST_HOOK(nvmlDeviceGetMPSComputeRunningProcesses_v2, v2_t)
LIST_HOOK(nvmlDeviceGetMPSComputeRunningProcesses_v3, v2_t)
#undef LIST_HOOK

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device,
                                                                  nvmlProcessDetailList_t* wanted) {
  const auto real = REAL_NVML(nvmlDeviceGetRunningProcessDetailList);
  TenantView* view = TenantView::Current();
  if (view == nullptr || wanted == nullptr || wanted->version != nvmlProcessDetailList_v1) {
    return real(device, wanted);
  }
  EntryList<nvmlProcessDetail_v1_t> list;
  const nvmlReturn_t result = list.Fetch([&](nvmlProcessDetail_v1_t* all, unsigned int* count) {
    nvmlProcessDetailList_t everyone = *wanted;
    everyone.numProcArrayEntries = *count;
    everyone.procArray = all;
    const nvmlReturn_t answer = real(device, &everyone);
    *count = everyone.numProcArrayEntries;
    return answer;
  });
  if (result != NVML_SUCCESS) return result;
  list.KeepOwn(*view);
  list.TellCharged(*view, view->IndexOf(device));
  return list.Deliver(wanted->procArray, &wanted->numProcArrayEntries);
}

// Accounting keeps processes that have ended; who they were, nobody here knows any more.
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t device, unsigned int* count,
                                                        unsigned int* pids) {
  const auto real = REAL_NVML(nvmlDeviceGetAccountingPids);
  TenantView* view = TenantView::Current();
  if (view == nullptr || count == nullptr) return real(device, count, pids);
  EntryList<unsigned int> list;
  const nvmlReturn_t result = list.Fetch(
      [&](unsigned int* all, unsigned int* all_count) { return real(device, all_count, all); });
  if (result != NVML_SUCCESS) return result;
  list.KeepOwn(*view);
  return list.Deliver(pids, count);
}

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t device, unsigned int pid,
                                                         nvmlAccountingStats_t* stats) {
  TenantView* view = TenantView::Current();
  if (view != nullptr && stats != nullptr && !view->IsOwnProcess(pid)) return NVML_ERROR_NOT_FOUND;
  return REAL_NVML(nvmlDeviceGetAccountingStats)(device, pid, stats);
}
