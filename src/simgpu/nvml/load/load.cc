#include "simgpu/nvml/load/load.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace simgpu::nvml {
namespace {

using world::EngineKind;

constexpr double kIdleCelsius = 31;
constexpr double kBusyCelsius = 68;  // after a while at full load, in a cool room

// Of the power limit: what an idle card draws, and one that computes all the time.
constexpr double kIdlePower = 0.13;
constexpr double kBusyPower = 0.90;

constexpr unsigned kIdleClockMhz = 210;

template <typename ShareOf>
Load CombineEngines(ShareOf share_of) {
  return {.compute = share_of(EngineKind::kCompute),
          .copy = std::max({share_of(EngineKind::kCopyIn), share_of(EngineKind::kCopyOut),
                            share_of(EngineKind::kCopyWithin)})};
}

}  // namespace

Load LoadOf(const Card& card) {
  return CombineEngines([&card](EngineKind engine) {
    return card.world->engine().Utilization(card.index, engine, kSamplePeriodNs);
  });
}

Load ProcessLoadOf(const Card& card, world::ProcessKey process, uint64_t window_ns) {
  return CombineEngines([&](EngineKind engine) {
    return card.world->engine().UtilizationOf(card.index, engine, window_ns, process);
  });
}

unsigned Percent(double share) {
  if (share <= 0) return 0;
  return std::clamp(static_cast<unsigned>(std::lround(share * 100)), 1U, 100U);
}

unsigned long long NowUs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<unsigned long long>(
      std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

unsigned TemperatureOf(const Card& card) {
  return static_cast<unsigned>(kIdleCelsius + (kBusyCelsius - kIdleCelsius) * LoadOf(card).compute);
}

unsigned PowerMilliwatts(const Card& card) {
  const double share = kIdlePower + (kBusyPower - kIdlePower) * LoadOf(card).compute;
  return static_cast<unsigned>(card.spec().power_limit_watts * 1000.0 * share);
}

unsigned long long EnergyMillijoules(const Card& card) {
  const auto now = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                         std::chrono::nanoseconds(1));
  const double alive_s = static_cast<double>(now - card.world->created_ns()) / 1e9;
  const double busy_s =
      static_cast<double>(card.world->engine().CardBusyNs(card.index, EngineKind::kCompute)) / 1e9;
  const double full_s = alive_s * kIdlePower + busy_s * (kBusyPower - kIdlePower);
  return static_cast<unsigned long long>(card.spec().power_limit_watts * 1000.0 * full_s);
}

unsigned long long CopiedBytes(const Card& card, EngineKind engine) {
  const uint64_t bytes_per_s = engine == EngineKind::kCopyIn ? card.spec().host_to_device_bps
                                                             : card.spec().device_to_host_bps;
  const double busy_s =
      static_cast<double>(card.world->engine().CardBusyNs(card.index, engine)) / 1e9;
  return static_cast<unsigned long long>(static_cast<double>(bytes_per_s) * busy_s);
}

nvmlReturn_t ClocksOf(const Card& card, nvmlClockType_t type, ClockRange* range) {
  switch (type) {
    case NVML_CLOCK_GRAPHICS:
    case NVML_CLOCK_SM:
    case NVML_CLOCK_VIDEO: {
      const unsigned highest = card.spec().sm_clock_mhz;
      const unsigned lowest = std::min(kIdleClockMhz, highest);
      *range = {lowest, highest, LoadOf(card).compute > 0 ? highest : lowest};
      return NVML_SUCCESS;
    }
    case NVML_CLOCK_MEM: {
      const unsigned clock = card.spec().memory_clock_mhz;
      *range = {clock, clock, clock};
      return NVML_SUCCESS;
    }
    default:
      return NVML_ERROR_INVALID_ARGUMENT;
  }
}

}  // namespace simgpu::nvml
