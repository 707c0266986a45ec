// What share of a card's time each process had, from the engines' own accounts.
#include <algorithm>
#include <cmath>
#include <vector>

#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/processes/api.h"
#include "simgpu/nvml/processes/pids.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::GiveList;
using simgpu::nvml::kSamplePeriodNs;
using simgpu::nvml::NowUs;
using simgpu::nvml::Percent;
using simgpu::nvml::ProcessLoadOf;
using simgpu::world::ProcessUse;

namespace {

// How far back samples reach: to the last the caller has seen, at most one period. Microseconds of
// the wall clock come from the caller and may be any number.
uint64_t WindowNs(unsigned long long last_seen_us, unsigned long long now_us) {
  constexpr unsigned long long kPeriodUs = kSamplePeriodNs / 1000;
  if (last_seen_us >= now_us) return 0;
  return std::min(now_us - last_seen_us, kPeriodUs) * 1000;
}

// One sample for each process that ran or copied in that time.
std::vector<nvmlProcessUtilizationInfo_v1_t> Samples(const Card& card,
                                                     unsigned long long last_seen_us) {
  const unsigned long long now_us = NowUs();
  const uint64_t window_ns = WindowNs(last_seen_us, now_us);
  std::vector<nvmlProcessUtilizationInfo_v1_t> samples;
  if (window_ns == 0) return samples;
  for (const ProcessUse& process : card.world->Processes()) {
    const simgpu::nvml::Load load = ProcessLoadOf(card, process.key, window_ns);
    const unsigned sm = Percent(load.compute);
    const unsigned memory = Percent(load.copy);
    if (sm == 0 && memory == 0) continue;
    const unsigned pid = simgpu::nvml::SampledPid(process, card.spec().utilization_pids);
    if (pid == 0) continue;
    auto& sample = samples.emplace_back();
    sample = {};
    sample.timeStamp = now_us;
    sample.pid = pid;
    sample.smUtil = sm;
    sample.memUtil = memory;
  }
  return samples;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device,
                                             nvmlProcessUtilizationSample_t* samples,
                                             unsigned* count, unsigned long long last_seen) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(count != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  std::vector<nvmlProcessUtilizationSample_t> found;
  for (const auto& sample : Samples(card, last_seen)) {
    found.push_back({.pid = sample.pid,
                     .timeStamp = sample.timeStamp,
                     .smUtil = sample.smUtil,
                     .memUtil = sample.memUtil,
                     .encUtil = 0,
                     .decUtil = 0});
  }
  if (found.empty()) *count = 0;
  SIMGPU_REQUIRE(!found.empty(), NVML_ERROR_NOT_FOUND);
  return GiveList(found, count, samples);
}

nvmlReturn_t nvmlDeviceGetProcessesUtilizationInfo(nvmlDevice_t device,
                                                   nvmlProcessesUtilizationInfo_t* info) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(info != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(info->version == nvmlProcessesUtilizationInfo_v1,
                 NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  const auto found = Samples(card, info->lastSeenTimeStamp);
  if (found.empty()) info->processSamplesCount = 0;
  SIMGPU_REQUIRE(!found.empty(), NVML_ERROR_NOT_FOUND);
  return GiveList(found, &info->processSamplesCount, info->procUtilArray);
}
