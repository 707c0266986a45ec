// Encoders, decoders and the like, which nothing uses.
#include <initializer_list>

#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CheckDevice;
using simgpu::nvml::Tell;

namespace {

nvmlReturn_t TellIdle(nvmlDevice_t device, unsigned* percent, unsigned* period_us) {
  SIMGPU_TRY(Tell(device, percent, [](const Card&) { return 0; }));
  return Tell(device, period_us, [](const Card&) { return simgpu::nvml::kSamplePeriodNs / 1000; });
}

nvmlReturn_t CountNone(nvmlDevice_t device, unsigned* count) {
  return Tell(device, count, [](const Card&) { return 0; });
}

}  // namespace

nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned* percent,
                                             unsigned* period_us) {
  return TellIdle(device, percent, period_us);
}

nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned* percent,
                                             unsigned* period_us) {
  return TellIdle(device, percent, period_us);
}

nvmlReturn_t nvmlDeviceGetJpgUtilization(nvmlDevice_t device, unsigned* percent,
                                         unsigned* period_us) {
  return TellIdle(device, percent, period_us);
}

nvmlReturn_t nvmlDeviceGetOfaUtilization(nvmlDevice_t device, unsigned* percent,
                                         unsigned* period_us) {
  return TellIdle(device, percent, period_us);
}

nvmlReturn_t nvmlDeviceGetEncoderCapacity(nvmlDevice_t device, nvmlEncoderType_t type,
                                          unsigned* percent) {
  constexpr unsigned kAll = 100;
  SIMGPU_TRY(CheckDevice(device));
  SIMGPU_REQUIRE(type >= NVML_ENCODER_QUERY_H264 && type <= NVML_ENCODER_QUERY_AV1,
                 NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, percent, [](const Card&) { return kAll; });
}

nvmlReturn_t nvmlDeviceGetEncoderSessions(nvmlDevice_t device, unsigned* count, void*) {
  return CountNone(device, count);
}

nvmlReturn_t nvmlDeviceGetFBCSessions(nvmlDevice_t device, unsigned* count, void*) {
  return CountNone(device, count);
}

nvmlReturn_t nvmlDeviceGetEncoderStats(nvmlDevice_t device, unsigned* sessions,
                                       unsigned* frames_per_s, unsigned* latency_us) {
  for (unsigned* const out : {sessions, frames_per_s, latency_us}) {
    SIMGPU_TRY(CountNone(device, out));
  }
  return NVML_SUCCESS;
}
