// Error correction is on and finds nothing: simulated memory has no bit errors.
#include <initializer_list>

#include "simgpu/nvml/device/settings.h"
#include "simgpu/nvml/memory/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::Change;
using simgpu::nvml::GiveList;
using simgpu::nvml::Tell;
using simgpu::nvml::TellCurrentAndPending;

namespace {

bool IsCounter(nvmlMemoryErrorType_t error, nvmlEccCounterType_t counter) {
  return error >= 0 && error < NVML_MEMORY_ERROR_TYPE_COUNT && counter >= 0 &&
         counter < NVML_ECC_COUNTER_TYPE_COUNT;
}

template <typename Out>
nvmlReturn_t TellNone(nvmlDevice_t device, nvmlMemoryErrorType_t error,
                      nvmlEccCounterType_t counter, Out* out) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(IsCounter(error, counter), NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, out, [](const Card&) { return Out{}; });
}

// From Ampere on cards remap rows; before, they retired pages. A card does one of the two.
bool RemapsRows(const Card& card) { return card.spec().compute_major >= 8; }

}  // namespace

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current,
                                  nvmlEnableState_t* pending) {
  return TellCurrentAndPending(device, current, pending,
                               [](const Card&) { return NVML_FEATURE_ENABLED; });
}

nvmlReturn_t nvmlDeviceGetDefaultEccMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return Tell(device, mode, [](const Card&) { return NVML_FEATURE_ENABLED; });
}

nvmlReturn_t nvmlDeviceSetEccMode(nvmlDevice_t device, nvmlEnableState_t mode) {
  return Change(device, mode == NVML_FEATURE_ENABLED);
}

nvmlReturn_t nvmlDeviceClearEccErrorCounts(nvmlDevice_t device, nvmlEccCounterType_t) {
  return Change(device, true);
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t error,
                                         nvmlEccCounterType_t counter, unsigned long long* count) {
  return TellNone(device, error, counter, count);
}

nvmlReturn_t nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t error,
                                            nvmlEccCounterType_t counter,
                                            nvmlEccErrorCounts_t* counts) {
  return TellNone(device, error, counter, counts);
}

nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, nvmlMemoryErrorType_t error,
                                             nvmlEccCounterType_t counter,
                                             nvmlMemoryLocation_t location,
                                             unsigned long long* count) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(location >= 0 && location < NVML_MEMORY_LOCATION_COUNT,
                 NVML_ERROR_INVALID_ARGUMENT);
  return TellNone(device, error, counter, count);
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned* correctable,
                                       unsigned* uncorrectable, unsigned* pending,
                                       unsigned* failed) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(RemapsRows(card), NVML_ERROR_NOT_SUPPORTED);
  for (unsigned* const out : {correctable, uncorrectable, pending, failed}) {
    SIMGPU_TRY(Tell(device, out, [](const Card&) { return 0; }));
  }
  return NVML_SUCCESS;
}

// Banks by the spare rows they have left: all have all.
nvmlReturn_t nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device,
                                               nvmlRowRemapperHistogramValues_t* values) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(RemapsRows(card), NVML_ERROR_NOT_SUPPORTED);
  return Tell(device, values, [](const Card& its) {
    return nvmlRowRemapperHistogramValues_t{
        .max = its.spec().memory_bus_bits / 8, .high = 0, .partial = 0, .low = 0, .none = 0};
  });
}

nvmlReturn_t nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device, nvmlPageRetirementCause_t cause,
                                          unsigned* count, unsigned long long* addresses,
                                          unsigned long long*) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(cause >= 0 && cause < NVML_PAGE_RETIREMENT_CAUSE_COUNT,
                 NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(!RemapsRows(card), NVML_ERROR_NOT_SUPPORTED);
  return GiveList({}, count, addresses);
}

nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause,
                                       unsigned* count, unsigned long long* addresses) {
  return nvmlDeviceGetRetiredPages_v2(device, cause, count, addresses, nullptr);
}

nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device,
                                                    nvmlEnableState_t* pending) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(!RemapsRows(card), NVML_ERROR_NOT_SUPPORTED);
  return Tell(device, pending, [](const Card&) { return NVML_FEATURE_DISABLED; });
}
