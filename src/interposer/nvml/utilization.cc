// How busy a card is, by the tenant's processes alone. Percent of the card, as everywhere in NVML.
// Where the card's time is shared out, that is what they account for (own_time.h); elsewhere what
// the driver has sampled of them. In a container its samples name nobody: there the card's own
// figure is the best there is, and of single processes nothing is told.
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

unsigned long long NowUs() { return warpshare::guest::NanosecondsOf(CLOCK_REALTIME) / 1000; }

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

bool IsUtilization(nvmlSamplingType_t type) {
  return (type >= NVML_GPU_UTILIZATION_SAMPLES && type <= NVML_DEC_UTILIZATION_SAMPLES) ||
         type == NVML_JPG_UTILIZATION_SAMPLES || type == NVML_OFA_UTILIZATION_SAMPLES;
}

unsigned int PartOf(const Sample& sample, nvmlSamplingType_t type) {
  switch (type) {
    case NVML_GPU_UTILIZATION_SAMPLES:
      return sample.smUtil;
    case NVML_MEMORY_UTILIZATION_SAMPLES:
      return sample.memUtil;
    case NVML_ENC_UTILIZATION_SAMPLES:
      return sample.encUtil;
    case NVML_DEC_UTILIZATION_SAMPLES:
      return sample.decUtil;
    default:
      return 0;
  }
}

// Of what the tenant's processes did since the last one that the caller has seen; nothing is a
// sample, too.
nvmlSample_t SumOf(const Samples& samples, nvmlSamplingType_t type) {
  nvmlSample_t sum{.timeStamp = 0, .sampleValue = {.ullVal = 0}};
  for (unsigned int i = 0; i < samples.count(); ++i) {
    if (samples[i].timeStamp > sum.timeStamp) sum.timeStamp = samples[i].timeStamp;
    if (IsLatestOfItsProcess(samples, i)) sum.sampleValue.uiVal += PartOf(samples[i], type);
  }
  if (sum.timeStamp == 0) sum.timeStamp = NowUs();
  if (sum.sampleValue.uiVal > 100) sum.sampleValue.uiVal = 100;
  return sum;
}

// False where nothing tells the tenant's own part of what the samples count. The device is one of
// its own.
bool SampleOwn(TenantView& view, nvmlDevice_t device, nvmlSamplingType_t type,
               unsigned long long last_seen, nvmlSample_t& sample) {
  unsigned int percent = 0;
  if (type == NVML_GPU_UTILIZATION_SAMPLES &&
      view.TellOwnPercent(static_cast<uint32_t>(view.IndexOf(device)), percent)) {
    sample = {.timeStamp = NowUs(), .sampleValue = {.ullVal = percent}};
    return true;
  }
  const bool is_sampled =
      type != NVML_JPG_UTILIZATION_SAMPLES && type != NVML_OFA_UTILIZATION_SAMPLES;
  if (!is_sampled || !view.KnowsSampledPids()) return false;
  Samples samples;
  const nvmlReturn_t result = FetchOwn(view, device, last_seen, samples);
  if (result != NVML_SUCCESS && result != NVML_ERROR_NOT_FOUND) return false;
  sample = SumOf(samples, type);
  return true;
}

// Of the card's rates. How much of the accounted time went to memory nobody knows: as much of it as
// of the card's.
nvmlUtilization_t OwnPart(TenantView& view, nvmlDevice_t device, const nvmlUtilization_t& rates) {
  const int index = view.IndexOf(device);
  if (index < 0) return rates;
  unsigned int own = 0;
  if (view.TellOwnPercent(static_cast<uint32_t>(index), own))
    return {.gpu = own, .memory = own < rates.gpu ? rates.memory * own / rates.gpu : rates.memory};
  if (!view.KnowsSampledPids()) return rates;
  Samples samples;
  const nvmlReturn_t sampled = FetchOwn(view, device, NowUs() - kWindowUs, samples);
  // A card that cannot tell processes apart: its own figure is the best there is.
  return sampled == NVML_SUCCESS || sampled == NVML_ERROR_NOT_FOUND ? Sum(samples) : rates;
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
  if (result == NVML_SUCCESS && view != nullptr) *rates = OwnPart(*view, device, *rates);
  return result;
}

// Of how busy video engines and the bus are, nobody knows whose doing that is.
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetDynamicPstatesInfo(nvmlDevice_t device,
                                                            nvmlGpuDynamicPstatesInfo_t* info) {
  const nvmlReturn_t result = REAL_NVML(nvmlDeviceGetDynamicPstatesInfo)(device, info);
  TenantView* view = TenantView::Current();
  if (result != NVML_SUCCESS || view == nullptr) return result;
  auto& gpu = info->utilization[NVML_GPU_UTILIZATION_DOMAIN_GPU].percentage;
  auto& memory = info->utilization[NVML_GPU_UTILIZATION_DOMAIN_FB].percentage;
  const nvmlUtilization_t own = OwnPart(*view, device, {.gpu = gpu, .memory = memory});
  gpu = own.gpu;
  memory = own.memory;
  return result;
}

WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device, Sample* entries,
                                                            unsigned int* count,
                                                            unsigned long long last_seen) {
  TenantView* view = TenantView::Current();
  if (view == nullptr || count == nullptr) {
    return REAL_NVML(nvmlDeviceGetProcessUtilization)(device, entries, count, last_seen);
  }
  if (!view->KnowsSampledPids()) return NVML_ERROR_NOT_SUPPORTED;
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
  if (!view->KnowsSampledPids()) return NVML_ERROR_NOT_SUPPORTED;
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

// The driver keeps many samples of a card, each of all who used it; of a tenant's own part there is
// one, of now. Of the decoders of pictures and of optical flow there is none.
WARPSHARE_HOOK nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type,
                                                 unsigned long long last_seen,
                                                 nvmlValueType_t* value_type, unsigned int* count,
                                                 nvmlSample_t* samples) {
  const auto real = REAL_NVML(nvmlDeviceGetSamples);
  TenantView* view = TenantView::Current();
  if (view == nullptr || value_type == nullptr || count == nullptr || !IsUtilization(type) ||
      view->IndexOf(device) < 0)
    return real(device, type, last_seen, value_type, count, samples);
  unsigned int room = 0;  // whether there is an answer at all
  if (const nvmlReturn_t result = real(device, type, last_seen, value_type, &room, nullptr);
      result != NVML_SUCCESS)
    return result;
  nvmlSample_t own;
  if (!SampleOwn(*view, device, type, last_seen, own)) {
    const bool is_rate =
        type == NVML_GPU_UTILIZATION_SAMPLES || type == NVML_MEMORY_UTILIZATION_SAMPLES;
    return is_rate ? real(device, type, last_seen, value_type, count, samples)
                   : NVML_ERROR_NOT_SUPPORTED;
  }
  *value_type = NVML_VALUE_TYPE_UNSIGNED_INT;
  const bool fits = samples == nullptr || *count != 0;
  *count = 1;
  if (!fits) return NVML_ERROR_INSUFFICIENT_SIZE;
  if (samples != nullptr) *samples = own;
  return NVML_SUCCESS;
}
