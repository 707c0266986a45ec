// How busy a card is, by the tenant's processes alone. Percent of the card, as everywhere in NVML.
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/nvml_functions.h"
#include "interposer/guest/kernel.h"
#include "interposer/nvml/own_entries.h"
#include "interposer/nvml/tenant_view.h"

namespace {

using warpshare::interposer::EntryList;
using warpshare::interposer::TenantView;
using Sample = nvmlProcessUtilizationSample_t;
using Samples = EntryList<Sample>;

// The driver averages a card's utilisation over up to a second.
constexpr unsigned long long kWindowUs = 1'000'000;

nvmlReturn_t FetchOwn(const TenantView& view, nvmlDevice_t device, unsigned long long last_seen,
                      Samples& samples) {
  const nvmlReturn_t result = samples.Fetch([&](Sample* all, unsigned int* count) {
    return REAL_NVML(nvmlDeviceGetProcessUtilization)(device, all, count, last_seen);
  });
  samples.KeepOwn(view);
  return result;
}

bool IsLatestOfItsProcess(const Samples& samples, unsigned int i) {
  for (unsigned int other = 0; other < samples.count(); ++other) {
    const bool is_later = samples[other].timeStamp > samples[i].timeStamp ||
                          (samples[other].timeStamp == samples[i].timeStamp && other > i);
    if (samples[other].pid == samples[i].pid && is_later) return false;
  }
  return true;
}

nvmlUtilization_t Sum(const Samples& samples) {
  nvmlUtilization_t sum{.gpu = 0, .memory = 0};
  for (unsigned int i = 0; i < samples.count(); ++i) {
    if (!IsLatestOfItsProcess(samples, i)) continue;
    sum.gpu += samples[i].smUtil;
    sum.memory += samples[i].memUtil;
  }
  return {.gpu = sum.gpu < 100 ? sum.gpu : 100, .memory = sum.memory < 100 ? sum.memory : 100};
}

// No entry is NVML's NOT_FOUND here, where other lists are just empty.
template <typename Entry>
nvmlReturn_t DeliverSamples(const EntryList<Entry>& samples, Entry* entries, unsigned int* count) {
  if (samples.count() == 0) {
    *count = 0;
    return NVML_ERROR_NOT_FOUND;
  }
  if (entries != nullptr) return samples.Deliver(entries, count);
  *count = samples.count();
  return NVML_ERROR_INSUFFICIENT_SIZE;
}

}  // namespace

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device,
                                                          nvmlUtilization_t* rates) {
  const nvmlReturn_t result = REAL_NVML(nvmlDeviceGetUtilizationRates)(device, rates);
  TenantView* view = TenantView::Current();
  if (result != NVML_SUCCESS || view == nullptr || view->IndexOf(device) < 0) return result;
  const unsigned long long now_us = warpshare::guest::NanosecondsOf(CLOCK_REALTIME) / 1000;
  Samples samples;
  const nvmlReturn_t sampled = FetchOwn(*view, device, now_us - kWindowUs, samples);
  // A card that cannot tell processes apart: its own figure is the best there is.
  if (sampled == NVML_SUCCESS || sampled == NVML_ERROR_NOT_FOUND) *rates = Sum(samples);
  return result;
}

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device, Sample* entries,
                                                            unsigned int* count,
                                                            unsigned long long last_seen) {
  TenantView* view = TenantView::Current();
  if (view == nullptr || count == nullptr) {
    return REAL_NVML(nvmlDeviceGetProcessUtilization)(device, entries, count, last_seen);
  }
  Samples samples;
  const nvmlReturn_t result = FetchOwn(*view, device, last_seen, samples);
  return result == NVML_SUCCESS ? DeliverSamples(samples, entries, count) : result;
}

WARPSHARE_HOOK nvmlReturn_t
nvmlDeviceGetProcessesUtilizationInfo(nvmlDevice_t device, nvmlProcessesUtilizationInfo_t* wanted) {
  const auto real = REAL_NVML(nvmlDeviceGetProcessesUtilizationInfo);
  TenantView* view = TenantView::Current();
  if (view == nullptr || wanted == nullptr || wanted->version != nvmlProcessesUtilizationInfo_v1) {
    return real(device, wanted);
  }
  EntryList<nvmlProcessUtilizationInfo_v1_t> samples;
  const nvmlReturn_t result =
      samples.Fetch([&](nvmlProcessUtilizationInfo_v1_t* all, unsigned int* count) {
        nvmlProcessesUtilizationInfo_t everyone = *wanted;
        everyone.processSamplesCount = *count;
        everyone.procUtilArray = all;
        const nvmlReturn_t answer = real(device, &everyone);
        *count = everyone.processSamplesCount;
        return answer;
      });
  if (result != NVML_SUCCESS) return result;
  samples.KeepOwn(*view);
  return DeliverSamples(samples, wanted->procUtilArray, &wanted->processSamplesCount);
}
