#include "simgpu/smi/facts.h"

#include <sys/time.h>

#include <cstdio>
#include <ctime>

#include "simgpu/smi/ask.h"

namespace simgpu::smi {
namespace {

using Text = std::optional<std::string>;

template <typename Number>
Text Plain(const std::optional<Number>& number) {
  return number ? Text(std::to_string(*number)) : std::nullopt;
}

template <typename... Arguments>
Text Format(const char* format, Arguments... arguments) {
  char text[64];
  std::snprintf(text, sizeof(text), format, arguments...);
  return text;
}

Text Watts(const std::optional<unsigned>& milliwatts) {
  return milliwatts ? Format("%.2f", *milliwatts / 1000.0) : std::nullopt;
}

Text EnabledOrDisabled(const std::optional<nvmlEnableState_t>& state) {
  if (!state) return std::nullopt;
  return *state == NVML_FEATURE_ENABLED ? "Enabled" : "Disabled";
}

template <typename Value>
std::optional<Value> First(const std::optional<Both<Value, Value>>& both) {
  return both ? std::optional(both->first) : std::nullopt;
}

template <typename Value>
std::optional<Value> Second(const std::optional<Both<Value, Value>>& both) {
  return both ? std::optional(both->second) : std::nullopt;
}

Text OnOrOff(const std::optional<unsigned>& mig) {
  if (!mig) return std::nullopt;
  return *mig == NVML_DEVICE_MIG_ENABLE ? "Enabled" : "Disabled";
}

Text MiB(const Card& card, unsigned long long nvmlMemory_v2_t::* part) {
  const auto memory = MemoryOf(card);
  return memory ? Text(std::to_string((*memory).*part >> 20)) : std::nullopt;
}

Text Clock(const Card& card, nvmlClockType_t type) {
  return Plain(Ask(card.nvml->nvmlDeviceGetClockInfo, card.device, type));
}

Text ApplicationsClock(const Card& card, nvmlClockType_t type) {
  return Plain(Ask(card.nvml->nvmlDeviceGetApplicationsClock, card.device, type));
}

Text DefaultClock(const Card& card, nvmlClockType_t type) {
  return Plain(Ask(card.nvml->nvmlDeviceGetDefaultApplicationsClock, card.device, type));
}

Text MaxClock(const Card& card, nvmlClockType_t type) {
  return Plain(Ask(card.nvml->nvmlDeviceGetMaxClockInfo, card.device, type));
}

Text ComputeMode(const Card& card) {
  const auto mode = Ask(card.nvml->nvmlDeviceGetComputeMode, card.device);
  if (!mode) return std::nullopt;
  switch (*mode) {
    case NVML_COMPUTEMODE_DEFAULT:
      return "Default";
    case NVML_COMPUTEMODE_PROHIBITED:
      return "Prohibited";
    default:
      return "Exclusive_Process";
  }
}

Text Brand(const Card& card) {
  const auto brand = Ask(card.nvml->nvmlDeviceGetBrand, card.device);
  if (!brand) return std::nullopt;
  switch (*brand) {
    case NVML_BRAND_QUADRO:
      return "Quadro";
    case NVML_BRAND_TESLA:
      return "Tesla";
    case NVML_BRAND_GEFORCE:
      return "GeForce";
    case NVML_BRAND_TITAN:
      return "Titan";
    case NVML_BRAND_NVIDIA_RTX:
      return "NVIDIA RTX";
    case NVML_BRAND_NVIDIA:
      return "NVIDIA";
    case NVML_BRAND_GEFORCE_RTX:
      return "GeForce RTX";
    default:
      return std::nullopt;
  }
}

Text Architecture(const Card& card) {
  constexpr const char* kNames[] = {"Kepler", "Maxwell",      "Pascal", "Volta",    "Turing",
                                    "Ampere", "Ada Lovelace", "Hopper", "Blackwell"};
  const auto number = Ask(card.nvml->nvmlDeviceGetArchitecture, card.device);
  if (!number || *number < NVML_DEVICE_ARCH_KEPLER || *number > NVML_DEVICE_ARCH_BLACKWELL) {
    return std::nullopt;
  }
  return kNames[*number - NVML_DEVICE_ARCH_KEPLER];
}

Text Bar1(const Card& card, unsigned long long nvmlBAR1Memory_t::* part) {
  const auto bar1 = Ask(card.nvml->nvmlDeviceGetBAR1MemoryInfo, card.device);
  return bar1 ? Text(std::to_string((*bar1).*part >> 20)) : std::nullopt;
}

Text Throughput(const Card& card, nvmlPcieUtilCounter_t direction) {
  return Plain(Ask(card.nvml->nvmlDeviceGetPcieThroughput, card.device, direction));
}

Text ComputeCapability(const Card& card) {
  const auto both = AskBoth(card.nvml->nvmlDeviceGetCudaComputeCapability, card.device);
  return both ? Format("%d.%d", both->first, both->second) : std::nullopt;
}

Text MemoryTemperature(const Card& card) {
  nvmlFieldValue_t field{};
  field.fieldId = NVML_FI_DEV_MEMORY_TEMP;
  const auto function = card.nvml->nvmlDeviceGetFieldValues;
  if (function == nullptr || function(card.device, 1, &field) != NVML_SUCCESS ||
      field.nvmlReturn != NVML_SUCCESS) {
    return std::nullopt;
  }
  return std::to_string(field.value.uiVal);
}

std::optional<unsigned long long> Reasons(const Card& card) {
  return Ask(card.nvml->nvmlDeviceGetCurrentClocksThrottleReasons, card.device);
}

Text IsReason(const Card& card, unsigned long long reason) {
  const auto reasons = Reasons(card);
  if (!reasons) return std::nullopt;
  return (*reasons & reason) != 0 ? "Active" : "Not Active";
}

Text EncoderStat(const Card& card, size_t which) {
  unsigned stats[3] = {};  // sessions, frames per second, microseconds
  const auto function = card.nvml->nvmlDeviceGetEncoderStats;
  if (function == nullptr ||
      function(card.device, &stats[0], &stats[1], &stats[2]) != NVML_SUCCESS) {
    return std::nullopt;
  }
  return std::to_string(stats[which]);
}

// In the order in which they are listed by --help-query-gpu. CARD makes a row's function.
#define CARD(expression) [](const Card& card, const Machine&) -> Text { return expression; }
#define MACHINE(expression) [](const Card&, const Machine& machine) -> Text { return expression; }
#define NOTHING [](const Card&, const Machine&) -> Text { return std::nullopt; }
constexpr Fact kFacts[] = {
    {"timestamp", "", "", "when it was asked",
     [](const Card&, const Machine&) -> Text { return TimeStamp(); }},
    {"driver_version", "", "", "version of the driver", MACHINE(machine.driver_version)},
    {"count", "", "", "number of cards", MACHINE(std::to_string(machine.cards.size()))},
    {"index", "", "", "number of the card, from 0", CARD(std::to_string(card.index))},
    {"name", "gpu_name", "", "product name", CARD(card.name)},
    {"brand", "", "", "family of products", CARD(Brand(card))},
    {"architecture", "", "", "generation of chips", CARD(Architecture(card))},
    {"minor_number", "", "", "N of /dev/nvidiaN",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetMinorNumber, card.device)))},
    {"serial", "gpu_serial", "", "serial number",
     CARD(card.serial.empty() ? Text() : Text(card.serial))},
    {"uuid", "gpu_uuid", "", "unique id", CARD(card.uuid)},
    {"pci.bus_id", "gpu_bus_id", "", "domain:bus:device.function", CARD(card.pci.busId)},
    {"pci.domain", "", "", "in hexadecimal", CARD(Format("0x%04X", card.pci.domain))},
    {"pci.bus", "", "", "in hexadecimal", CARD(Format("0x%02X", card.pci.bus))},
    {"pci.device", "", "", "in hexadecimal", CARD(Format("0x%02X", card.pci.device))},
    {"pci.device_id", "", "", "in hexadecimal", CARD(Format("0x%08X", card.pci.pciDeviceId))},
    {"pci.sub_device_id", "", "", "in hexadecimal",
     CARD(Format("0x%08X", card.pci.pciSubSystemId))},
    {"pcie.link.gen.current", "pcie.link.gen.gpucurrent", "", "generation of the PCIe link",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetCurrPcieLinkGeneration, card.device)))},
    {"pcie.link.gen.max", "pcie.link.gen.gpumax", "", "highest possible",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetMaxPcieLinkGeneration, card.device)))},
    {"pcie.link.width.current", "", "", "lanes of the PCIe link",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetCurrPcieLinkWidth, card.device)))},
    {"pcie.link.width.max", "", "", "most possible",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetMaxPcieLinkWidth, card.device)))},
    {"pcie.replays", "", "", "packets sent again since the last reset",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetPcieReplayCounter, card.device)))},
    {"pcie.tx", "", "KB/s", "from the card to the host",
     CARD(Throughput(card, NVML_PCIE_UTIL_TX_BYTES))},
    {"pcie.rx", "", "KB/s", "from the host to the card",
     CARD(Throughput(card, NVML_PCIE_UTIL_RX_BYTES))},
    {"display_mode", "display_attached", "", "whether a display is attached",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetDisplayMode, card.device)))},
    {"display_active", "", "", "whether a display is in use",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetDisplayActive, card.device)))},
    {"persistence_mode", "", "", "whether the driver stays loaded",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetPersistenceMode, card.device)))},
    {"accounting.mode", "", "", "whether ended processes are remembered",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetAccountingMode, card.device)))},
    {"accounting.buffer_size", "", "", "of how many",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetAccountingBufferSize, card.device)))},
    {"driver_model.current", "", "", "of Windows", NOTHING},
    {"driver_model.pending", "", "", "of Windows", NOTHING},
    {"vbios_version", "", "", "version of the card's BIOS",
     CARD(AskText(card.nvml->nvmlDeviceGetVbiosVersion, card.device))},
    {"inforom.img", "inforom.image", "", "version of the InfoROM", NOTHING},
    {"inforom.oem", "", "", "version of a part of it", NOTHING},
    {"inforom.ecc", "", "", "version of a part of it", NOTHING},
    {"inforom.pwr", "inforom.power", "", "version of a part of it", NOTHING},
    {"gom.current", "gpu_operation_mode.current", "", "operation mode of old cards", NOTHING},
    {"gom.pending", "gpu_operation_mode.pending", "", "the same after a reset", NOTHING},
    {"fan.speed", "", "%", "speed of the fan, of the most",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetFanSpeed, card.device)))},
    {"pstate", "", "", "performance state, P0 the highest",
     [](const Card& card, const Machine&) -> Text {
       const auto state = Ask(card.nvml->nvmlDeviceGetPerformanceState, card.device);
       return state ? Format("P%d", static_cast<int>(*state)) : std::nullopt;
     }},
    {"clocks_event_reasons.active", "clocks_throttle_reasons.active", "",
     "why clocks are what they are, as bits",
     [](const Card& card, const Machine&) -> Text {
       const auto reasons = Reasons(card);
       return reasons ? Format("0x%016llX", *reasons) : std::nullopt;
     }},
    {"clocks_event_reasons.gpu_idle", "clocks_throttle_reasons.gpu_idle", "", "one of these",
     CARD(IsReason(card, nvmlClocksEventReasonGpuIdle))},
    {"clocks_event_reasons.applications_clocks_setting",
     "clocks_throttle_reasons.applications_clocks_setting", "", "one of these",
     CARD(IsReason(card, nvmlClocksEventReasonApplicationsClocksSetting))},
    {"clocks_event_reasons.sw_power_cap", "clocks_throttle_reasons.sw_power_cap", "",
     "one of these", CARD(IsReason(card, nvmlClocksEventReasonSwPowerCap))},
    {"clocks_event_reasons.hw_slowdown", "clocks_throttle_reasons.hw_slowdown", "", "one of these",
     CARD(IsReason(card, nvmlClocksThrottleReasonHwSlowdown))},
    {"clocks_event_reasons.hw_thermal_slowdown", "clocks_throttle_reasons.hw_thermal_slowdown", "",
     "one of these", CARD(IsReason(card, nvmlClocksThrottleReasonHwThermalSlowdown))},
    {"clocks_event_reasons.hw_power_brake_slowdown",
     "clocks_throttle_reasons.hw_power_brake_slowdown", "", "one of these",
     CARD(IsReason(card, nvmlClocksThrottleReasonHwPowerBrakeSlowdown))},
    {"clocks_event_reasons.sw_thermal_slowdown", "clocks_throttle_reasons.sw_thermal_slowdown", "",
     "one of these", CARD(IsReason(card, nvmlClocksEventReasonSwThermalSlowdown))},
    {"clocks_event_reasons.sync_boost", "clocks_throttle_reasons.sync_boost", "", "one of these",
     CARD(IsReason(card, nvmlClocksEventReasonSyncBoost))},
    {"memory.total", "", "MiB", "memory of the card", CARD(MiB(card, &nvmlMemory_v2_t::total))},
    {"memory.reserved", "", "MiB", "of it, the driver's",
     CARD(MiB(card, &nvmlMemory_v2_t::reserved))},
    {"memory.used", "", "MiB", "of it, held by programs", CARD(MiB(card, &nvmlMemory_v2_t::used))},
    {"memory.free", "", "MiB", "of it, to be had", CARD(MiB(card, &nvmlMemory_v2_t::free))},
    {"bar1.total", "", "MiB", "window through which the host reaches memory",
     CARD(Bar1(card, &nvmlBAR1Memory_t::bar1Total))},
    {"bar1.used", "", "MiB", "of it, in use", CARD(Bar1(card, &nvmlBAR1Memory_t::bar1Used))},
    {"bar1.free", "", "MiB", "of it, not in use", CARD(Bar1(card, &nvmlBAR1Memory_t::bar1Free))},
    {"compute_mode", "", "", "who may compute", CARD(ComputeMode(card))},
    {"compute_cap", "", "", "CUDA compute capability", CARD(ComputeCapability(card))},
    {"utilization.gpu", "", "%", "time in which kernels ran",
     [](const Card& card, const Machine&) -> Text {
       const auto use = Ask(card.nvml->nvmlDeviceGetUtilizationRates, card.device);
       return use ? Text(std::to_string(use->gpu)) : std::nullopt;
     }},
    {"utilization.memory", "", "%", "time in which memory was moved",
     [](const Card& card, const Machine&) -> Text {
       const auto use = Ask(card.nvml->nvmlDeviceGetUtilizationRates, card.device);
       return use ? Text(std::to_string(use->memory)) : std::nullopt;
     }},
    {"utilization.encoder", "", "%", "use of the video encoder",
     CARD(Plain(First(AskBoth(card.nvml->nvmlDeviceGetEncoderUtilization, card.device))))},
    {"utilization.decoder", "", "%", "use of the video decoder",
     CARD(Plain(First(AskBoth(card.nvml->nvmlDeviceGetDecoderUtilization, card.device))))},
    {"utilization.jpeg", "", "%", "use of the JPEG decoder",
     CARD(Plain(First(AskBoth(card.nvml->nvmlDeviceGetJpgUtilization, card.device))))},
    {"utilization.ofa", "", "%", "use of the optical flow accelerator",
     CARD(Plain(First(AskBoth(card.nvml->nvmlDeviceGetOfaUtilization, card.device))))},
    {"encoder.stats.sessionCount", "", "", "sessions of the video encoder",
     CARD(EncoderStat(card, 0))},
    {"encoder.stats.averageFps", "", "", "its frames per second", CARD(EncoderStat(card, 1))},
    {"encoder.stats.averageLatency", "", "", "its microseconds a frame",
     CARD(EncoderStat(card, 2))},
    {"ecc.mode.current", "", "", "error correction of the memory",
     CARD(EnabledOrDisabled(First(AskBoth(card.nvml->nvmlDeviceGetEccMode, card.device))))},
    {"ecc.mode.pending", "", "", "the same after a reset",
     CARD(EnabledOrDisabled(Second(AskBoth(card.nvml->nvmlDeviceGetEccMode, card.device))))},
    {"ecc.errors.corrected.volatile.total", "", "", "corrected errors since the last reset",
     CARD(Plain(EccErrors(card, NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_VOLATILE_ECC)))},
    {"ecc.errors.corrected.aggregate.total", "", "", "of all time",
     CARD(Plain(EccErrors(card, NVML_MEMORY_ERROR_TYPE_CORRECTED, NVML_AGGREGATE_ECC)))},
    {"ecc.errors.uncorrected.volatile.total", "", "", "uncorrected errors since the last reset",
     CARD(Plain(EccErrors(card, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC)))},
    {"ecc.errors.uncorrected.aggregate.total", "", "", "of all time",
     CARD(Plain(EccErrors(card, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_AGGREGATE_ECC)))},
    {"retired_pages.single_bit_ecc.count", "retired_pages.sbe", "", "of old cards", NOTHING},
    {"retired_pages.double_bit.count", "retired_pages.dbe", "", "of old cards", NOTHING},
    {"retired_pages.pending", "", "", "of old cards", NOTHING},
    {"temperature.gpu", "", "", "degrees Celsius",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetTemperature, card.device, NVML_TEMPERATURE_GPU)))},
    {"temperature.memory", "", "", "degrees Celsius", CARD(MemoryTemperature(card))},
    {"power.management", "", "", "whether power can be limited",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetPowerManagementMode, card.device)))},
    {"power.draw", "power.draw.instant", "W", "power now",
     CARD(Watts(Ask(card.nvml->nvmlDeviceGetPowerUsage, card.device)))},
    {"power.draw.average", "", "W", "power of the last second", NOTHING},
    {"power.limit", "", "W", "power allowed",
     CARD(Watts(Ask(card.nvml->nvmlDeviceGetPowerManagementLimit, card.device)))},
    {"enforced.power.limit", "", "W", "power allowed, all limits considered",
     CARD(Watts(Ask(card.nvml->nvmlDeviceGetEnforcedPowerLimit, card.device)))},
    {"power.default_limit", "", "W", "power allowed if nothing is set",
     CARD(Watts(Ask(card.nvml->nvmlDeviceGetPowerManagementDefaultLimit, card.device)))},
    {"power.min_limit", "", "W", "lowest limit that can be set",
     CARD(Watts(
         First(AskBoth(card.nvml->nvmlDeviceGetPowerManagementLimitConstraints, card.device))))},
    {"power.max_limit", "", "W", "highest limit that can be set",
     CARD(Watts(
         Second(AskBoth(card.nvml->nvmlDeviceGetPowerManagementLimitConstraints, card.device))))},
    {"clocks.current.graphics", "clocks.gr", "MHz", "clock now",
     CARD(Clock(card, NVML_CLOCK_GRAPHICS))},
    {"clocks.current.sm", "clocks.sm", "MHz", "clock now", CARD(Clock(card, NVML_CLOCK_SM))},
    {"clocks.current.memory", "clocks.mem", "MHz", "clock now", CARD(Clock(card, NVML_CLOCK_MEM))},
    {"clocks.current.video", "clocks.video", "MHz", "clock now",
     CARD(Clock(card, NVML_CLOCK_VIDEO))},
    {"clocks.applications.graphics", "clocks.applications.gr", "MHz", "clock asked for",
     CARD(ApplicationsClock(card, NVML_CLOCK_GRAPHICS))},
    {"clocks.applications.memory", "clocks.applications.mem", "MHz", "clock asked for",
     CARD(ApplicationsClock(card, NVML_CLOCK_MEM))},
    {"clocks.default_applications.graphics", "clocks.default_applications.gr", "MHz",
     "clock if none is asked for", CARD(DefaultClock(card, NVML_CLOCK_GRAPHICS))},
    {"clocks.default_applications.memory", "clocks.default_applications.mem", "MHz",
     "clock if none is asked for", CARD(DefaultClock(card, NVML_CLOCK_MEM))},
    {"clocks.max.graphics", "clocks.max.gr", "MHz", "highest clock",
     CARD(MaxClock(card, NVML_CLOCK_GRAPHICS))},
    {"clocks.max.sm", "", "MHz", "highest clock", CARD(MaxClock(card, NVML_CLOCK_SM))},
    {"clocks.max.memory", "clocks.max.mem", "MHz", "highest clock",
     CARD(MaxClock(card, NVML_CLOCK_MEM))},
    {"mig.mode.current", "", "", "whether the card is split into instances",
     CARD(OnOrOff(First(AskBoth(card.nvml->nvmlDeviceGetMigMode, card.device))))},
    {"mig.mode.pending", "", "", "the same after a reset",
     CARD(OnOrOff(Second(AskBoth(card.nvml->nvmlDeviceGetMigMode, card.device))))},
};
#undef CARD
#undef MACHINE
#undef NOTHING

}  // namespace

std::span<const Fact> AllFacts() { return kFacts; }

const Fact* FindFact(std::string_view name) {
  for (const Fact& fact : kFacts) {
    if (fact.name == name || (!fact.alias.empty() && fact.alias == name)) return &fact;
  }
  return nullptr;
}

std::string Show(const Fact& fact, const Card& card, const Machine& machine) {
  const Text value = fact.read(card, machine);
  if (!value) return "[N/A]";
  return fact.unit.empty() ? *value : *value + " " + std::string(fact.unit);
}

std::string Show(std::string_view name, const Card& card, const Machine& machine) {
  return Show(*FindFact(name), card, machine);
}

std::string TimeStamp() {
  timeval now{};
  gettimeofday(&now, nullptr);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  char text[40];
  const size_t end = std::strftime(text, sizeof(text), "%Y/%m/%d %H:%M:%S", &local);
  std::snprintf(text + end, sizeof(text) - end, ".%03d", static_cast<int>(now.tv_usec / 1000));
  return text;
}

}  // namespace simgpu::smi
