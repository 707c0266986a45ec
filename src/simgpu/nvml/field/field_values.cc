// Each field is answered by itself: its own result, type and value. Fields that are not in the
// table are not supported.
#include <cstdint>

#include "simgpu/nvml/field/api.h"
#include "simgpu/nvml/link/nvlinks.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::world::EngineKind;

namespace {

// Value and type of a field, by `scope` (a link's number, say) where it has one.
struct Field {
  unsigned first;
  unsigned last;
  nvmlValueType_t type;
  unsigned long long (*value)(const Card& card, unsigned scope);
};

unsigned long long None(const Card&, unsigned) { return 0; }
unsigned long long Yes(const Card&, unsigned) { return 1; }
unsigned long long Limit(const Card& card, unsigned) {
  return card.spec().power_limit_watts * 1000ULL;
}
unsigned long long LowestLimit(const Card& card, unsigned) { return Limit(card, 0) / 4; }
unsigned long long Power(const Card& card, unsigned) { return simgpu::nvml::PowerMilliwatts(card); }
unsigned long long Energy(const Card& card, unsigned) {
  return simgpu::nvml::EnergyMillijoules(card);
}
unsigned long long MemoryTemperature(const Card& card, unsigned) {
  return simgpu::nvml::TemperatureOf(card);
}
unsigned long long LinkCount(const Card& card, unsigned) {
  return simgpu::nvml::NvlinksOf(card).size();
}
unsigned long long CommonLinkSpeed(const Card& card, unsigned) {
  return simgpu::nvml::NvlinksOf(card).empty() ? 0 : simgpu::nvml::kNvlinkMbps;
}
unsigned long long IsLink(const Card& card, unsigned scope) {
  return scope < simgpu::nvml::NvlinksOf(card).size();
}
unsigned long long LinkSpeed(const Card& card, unsigned scope) {
  return IsLink(card, scope) * simgpu::nvml::kNvlinkMbps;
}
unsigned long long LinkVersion(const Card& card, unsigned scope) {
  return IsLink(card, scope) * simgpu::nvml::kNvlinkVersion;
}
unsigned long long BytesOut(const Card& card, unsigned) {
  return simgpu::nvml::CopiedBytes(card, EngineKind::kCopyOut);
}
unsigned long long BytesIn(const Card& card, unsigned) {
  return simgpu::nvml::CopiedBytes(card, EngineKind::kCopyIn);
}

constexpr auto kU32 = NVML_VALUE_TYPE_UNSIGNED_INT;
constexpr auto kU64 = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;

constexpr Field kFields[] = {
    {NVML_FI_DEV_ECC_CURRENT, NVML_FI_DEV_ECC_PENDING, kU32, Yes},
    {NVML_FI_DEV_ECC_SBE_VOL_TOTAL, NVML_FI_DEV_RETIRED_SBE - 1, kU64, None},
    {NVML_FI_DEV_PERF_POLICY_POWER, NVML_FI_DEV_PERF_POLICY_TOTAL_BASE_CLOCKS, kU64, None},
    {NVML_FI_DEV_MEMORY_TEMP, NVML_FI_DEV_MEMORY_TEMP, kU32, MemoryTemperature},
    {NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION, NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION, kU64, Energy},
    {NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON, NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON, kU32,
     CommonLinkSpeed},
    {NVML_FI_DEV_NVLINK_LINK_COUNT, NVML_FI_DEV_NVLINK_LINK_COUNT, kU32, LinkCount},
    {NVML_FI_DEV_PCIE_REPLAY_COUNTER, NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER, kU32, None},
    {NVML_FI_DEV_REMAPPED_COR, NVML_FI_DEV_REMAPPED_FAILURE, kU32, None},
    {NVML_FI_DEV_NVLINK_GET_SPEED, NVML_FI_DEV_NVLINK_GET_SPEED, kU32, LinkSpeed},
    {NVML_FI_DEV_NVLINK_GET_STATE, NVML_FI_DEV_NVLINK_GET_STATE, kU32, IsLink},
    {NVML_FI_DEV_NVLINK_GET_VERSION, NVML_FI_DEV_NVLINK_GET_VERSION, kU32, LinkVersion},
    {NVML_FI_DEV_C2C_LINK_COUNT, NVML_FI_DEV_C2C_LINK_COUNT, kU32, None},
    {NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS, NVML_FI_DEV_PCIE_COUNT_LANE_ERROR, kU32, None},
    {NVML_FI_DEV_IS_RESETLESS_MIG_SUPPORTED, NVML_FI_DEV_IS_RESETLESS_MIG_SUPPORTED, kU32, None},
    {NVML_FI_DEV_POWER_AVERAGE, NVML_FI_DEV_POWER_INSTANT, kU32, Power},
    {NVML_FI_DEV_POWER_MIN_LIMIT, NVML_FI_DEV_POWER_MIN_LIMIT, kU32, LowestLimit},
    {NVML_FI_DEV_POWER_MAX_LIMIT, NVML_FI_DEV_POWER_CURRENT_LIMIT, kU32, Limit},
    {NVML_FI_DEV_ENERGY, NVML_FI_DEV_ENERGY, kU64, Energy},
    {NVML_FI_DEV_POWER_REQUESTED_LIMIT, NVML_FI_DEV_POWER_REQUESTED_LIMIT, kU32, Limit},
    {NVML_FI_DEV_PCIE_COUNT_TX_BYTES, NVML_FI_DEV_PCIE_COUNT_TX_BYTES, kU64, BytesOut},
    {NVML_FI_DEV_PCIE_COUNT_RX_BYTES, NVML_FI_DEV_PCIE_COUNT_RX_BYTES, kU64, BytesIn},
    {NVML_FI_DEV_IS_MIG_MODE_INDEPENDENT_MIG_QUERY_CAPABLE,
     NVML_FI_DEV_IS_MIG_MODE_INDEPENDENT_MIG_QUERY_CAPABLE, kU32, None},
    {NVML_FI_DEV_RESET_STATUS, NVML_FI_DEV_DRAIN_AND_RESET_STATUS, kU32, None},
    {NVML_FI_DEV_GET_GPU_RECOVERY_ACTION, NVML_FI_DEV_GET_GPU_RECOVERY_ACTION, kU32, None},
    {NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN,
     NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN, kU64, None},
};

const Field* FindField(unsigned id) {
  for (const Field& field : kFields) {
    if (field.first <= id && id <= field.last) return &field;
  }
  return nullptr;
}

void Answer(const Card& card, nvmlFieldValue_t* out) {
  out->timestamp = static_cast<long long>(simgpu::nvml::NowUs());
  out->latencyUsec = 0;
  out->value.ullVal = 0;
  const Field* const field = FindField(out->fieldId);
  out->nvmlReturn = field == nullptr ? NVML_ERROR_NOT_SUPPORTED : NVML_SUCCESS;
  if (field == nullptr) return;
  out->valueType = field->type;
  out->value.ullVal = field->value(card, out->scopeId);
}

}  // namespace

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t* values) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(values != nullptr && count > 0, NVML_ERROR_INVALID_ARGUMENT);
  for (int index = 0; index < count; ++index) Answer(card, &values[index]);
  return NVML_SUCCESS;
}

// Counters here count nothing but what was, which cannot be undone.
nvmlReturn_t nvmlDeviceClearFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t* values) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(values != nullptr && count > 0, NVML_ERROR_INVALID_ARGUMENT);
  for (int index = 0; index < count; ++index) values[index].nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
  return NVML_SUCCESS;
}
