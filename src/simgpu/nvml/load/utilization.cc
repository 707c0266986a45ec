// How much of the time a card computes and copies.
#include <vector>

#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::GiveList;
using simgpu::nvml::Load;
using simgpu::nvml::LoadOf;
using simgpu::nvml::Percent;
using simgpu::nvml::Tell;
using simgpu::world::EngineKind;

namespace {

// What NVML keeps samples of; there is one sample of each, taken now.
nvmlReturn_t SampleOf(const Card& card, nvmlSamplingType_t type, unsigned* value) {
  simgpu::nvml::ClockRange clocks;
  switch (type) {
    case NVML_TOTAL_POWER_SAMPLES:
      *value = simgpu::nvml::PowerMilliwatts(card);
      return NVML_SUCCESS;
    case NVML_GPU_UTILIZATION_SAMPLES:
      *value = Percent(LoadOf(card).compute);
      return NVML_SUCCESS;
    case NVML_MEMORY_UTILIZATION_SAMPLES:
      *value = Percent(LoadOf(card).copy);
      return NVML_SUCCESS;
    case NVML_ENC_UTILIZATION_SAMPLES:
    case NVML_DEC_UTILIZATION_SAMPLES:
    case NVML_JPG_UTILIZATION_SAMPLES:
    case NVML_OFA_UTILIZATION_SAMPLES:
      *value = 0;
      return NVML_SUCCESS;
    case NVML_PROCESSOR_CLK_SAMPLES:
    case NVML_MEMORY_CLK_SAMPLES:
      SIMGPU_TRY(simgpu::nvml::ClocksOf(
          card, type == NVML_MEMORY_CLK_SAMPLES ? NVML_CLOCK_MEM : NVML_CLOCK_SM, &clocks));
      *value = clocks.now;
      return NVML_SUCCESS;
    case NVML_MODULE_POWER_SAMPLES:
      return NVML_ERROR_NOT_SUPPORTED;
    default:
      return NVML_ERROR_INVALID_ARGUMENT;
  }
}

}  // namespace

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
  return Tell(device, utilization, [](const Card& card) {
    const Load load = LoadOf(card);
    return nvmlUtilization_t{.gpu = Percent(load.compute), .memory = Percent(load.copy)};
  });
}

nvmlReturn_t nvmlDeviceGetDynamicPstatesInfo(nvmlDevice_t device,
                                             nvmlGpuDynamicPstatesInfo_t* info) {
  return Tell(device, info, [](const Card& card) {
    const Load load = LoadOf(card);
    nvmlGpuDynamicPstatesInfo_t domains{};
    domains.utilization[NVML_GPU_UTILIZATION_DOMAIN_GPU] = {1, Percent(load.compute), 0, 0};
    domains.utilization[NVML_GPU_UTILIZATION_DOMAIN_FB] = {1, Percent(load.copy), 0, 0};
    domains.utilization[NVML_GPU_UTILIZATION_DOMAIN_VID] = {1, 0, 0, 0};
    domains.utilization[NVML_GPU_UTILIZATION_DOMAIN_BUS] = {1, Percent(load.copy), 0, 0};
    return domains;
  });
}

nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type,
                                  unsigned long long last_seen, nvmlValueType_t* value_type,
                                  unsigned* count, nvmlSample_t* samples) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(value_type != nullptr && count != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  nvmlSample_t sample{};
  SIMGPU_TRY(SampleOf(card, type, &sample.sampleValue.uiVal));
  sample.timeStamp = simgpu::nvml::NowUs();
  *value_type = NVML_VALUE_TYPE_UNSIGNED_INT;
  SIMGPU_REQUIRE(sample.timeStamp > last_seen, NVML_ERROR_NOT_FOUND);
  if (samples == nullptr) {  // only how much room is needed
    *count = 1;
    return NVML_SUCCESS;
  }
  return GiveList({sample}, count, samples);
}

// From the card's side: what it sends (TX) it copies out.
nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter,
                                         unsigned* kib_per_s) {
  constexpr uint64_t kWindowNs = 100'000'000;  // the engines' history is not finer
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(counter >= 0 && counter < NVML_PCIE_UTIL_COUNT, NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, kib_per_s, [counter](const Card& card) {
    const bool out = counter == NVML_PCIE_UTIL_TX_BYTES;
    const double share = card.world->engine().Utilization(
        card.index, out ? EngineKind::kCopyOut : EngineKind::kCopyIn, kWindowNs);
    const uint64_t bytes_per_s =
        out ? card.spec().device_to_host_bps : card.spec().host_to_device_bps;
    return share * static_cast<double>(bytes_per_s) / 1024;
  });
}
