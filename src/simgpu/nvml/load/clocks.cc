// Clocks: the multiprocessors' highest while work runs and lowest when idle; the memory's is fixed.
#include <vector>

#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::ClockRange;
using simgpu::nvml::ClocksOf;
using simgpu::nvml::GiveList;
using simgpu::nvml::kClockStepMhz;
using simgpu::nvml::Tell;

namespace {

nvmlReturn_t TellClock(nvmlDevice_t device, nvmlClockType_t type, unsigned ClockRange::* which,
                       unsigned* mhz) {
  Card card;
  ClockRange range;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(mhz != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_TRY(ClocksOf(card, type, &range));
  *mhz = range.*which;
  return NVML_SUCCESS;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned* mhz) {
  return TellClock(device, type, &ClockRange::now, mhz);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned* mhz) {
  return TellClock(device, type, &ClockRange::highest, mhz);
}

nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                            unsigned* mhz) {
  return TellClock(device, type, &ClockRange::highest, mhz);
}

nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                                   unsigned* mhz) {
  return TellClock(device, type, &ClockRange::highest, mhz);
}

nvmlReturn_t nvmlDeviceGetMaxCustomerBoostClock(nvmlDevice_t device, nvmlClockType_t type,
                                                unsigned* mhz) {
  return TellClock(device, type, &ClockRange::highest, mhz);
}

nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id,
                                unsigned* mhz) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(id >= 0 && id < NVML_CLOCK_ID_COUNT, NVML_ERROR_INVALID_ARGUMENT);
  return TellClock(device, type,
                   id == NVML_CLOCK_ID_CURRENT ? &ClockRange::now : &ClockRange::highest, mhz);
}

nvmlReturn_t nvmlDeviceGetMinMaxClockOfPState(nvmlDevice_t device, nvmlClockType_t type,
                                              nvmlPstates_t state, unsigned* min_mhz,
                                              unsigned* max_mhz) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(state == NVML_PSTATE_0, NVML_ERROR_NOT_SUPPORTED);
  SIMGPU_TRY(TellClock(device, type, &ClockRange::lowest, min_mhz));
  return TellClock(device, type, &ClockRange::highest, max_mhz);
}

nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned* count,
                                                unsigned* mhz) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  return GiveList({card.spec().memory_clock_mhz}, count, mhz);
}

nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned memory_mhz,
                                                  unsigned* count, unsigned* mhz) {
  Card card;
  ClockRange range;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(memory_mhz == card.spec().memory_clock_mhz, NVML_ERROR_NOT_FOUND);
  SIMGPU_TRY(ClocksOf(card, NVML_CLOCK_GRAPHICS, &range));
  std::vector<unsigned> clocks{range.highest};
  while (clocks.back() >= range.lowest + kClockStepMhz) {
    clocks.push_back(clocks.back() - kClockStepMhz);
  }
  return GiveList(clocks, count, mhz);
}

nvmlReturn_t nvmlDeviceGetAdaptiveClockInfoStatus(nvmlDevice_t device, unsigned* status) {
  return Tell(device, status,
              [](const Card&) { return NVML_ADAPTIVE_CLOCKING_INFO_STATUS_ENABLED; });
}
