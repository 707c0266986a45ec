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

// In the order in which they are listed by --help-query-gpu. CARD makes a row's function.
#define CARD(expression) [](const Card& card, const Machine&) -> Text { return expression; }
#define MACHINE(expression) [](const Card&, const Machine& machine) -> Text { return expression; }
constexpr Fact kFacts[] = {
    {"timestamp", "", "", "when it was asked",
     [](const Card&, const Machine&) -> Text { return TimeStamp(); }},
    {"driver_version", "", "", "version of the driver", MACHINE(machine.driver_version)},
    {"count", "", "", "number of cards", MACHINE(std::to_string(machine.cards.size()))},
    {"index", "", "", "number of the card, from 0", CARD(std::to_string(card.index))},
    {"name", "gpu_name", "", "product name", CARD(card.name)},
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
    {"display_mode", "display_attached", "", "whether a display is attached",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetDisplayMode, card.device)))},
    {"display_active", "", "", "whether a display is in use",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetDisplayActive, card.device)))},
    {"persistence_mode", "", "", "whether the driver stays loaded",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetPersistenceMode, card.device)))},
    {"accounting.mode", "", "", "whether ended processes are remembered",
     CARD(EnabledOrDisabled(Ask(card.nvml->nvmlDeviceGetAccountingMode, card.device)))},
    {"vbios_version", "", "", "version of the card's BIOS",
     CARD(AskText(card.nvml->nvmlDeviceGetVbiosVersion, card.device))},
    {"fan.speed", "", "%", "speed of the fan, of the most",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetFanSpeed, card.device)))},
    {"pstate", "", "", "performance state, P0 the highest",
     [](const Card& card, const Machine&) -> Text {
       const auto state = Ask(card.nvml->nvmlDeviceGetPerformanceState, card.device);
       return state ? Format("P%d", static_cast<int>(*state)) : std::nullopt;
     }},
    {"memory.total", "", "MiB", "memory of the card", CARD(MiB(card, &nvmlMemory_v2_t::total))},
    {"memory.reserved", "", "MiB", "of it, the driver's",
     CARD(MiB(card, &nvmlMemory_v2_t::reserved))},
    {"memory.used", "", "MiB", "of it, held by programs", CARD(MiB(card, &nvmlMemory_v2_t::used))},
    {"memory.free", "", "MiB", "of it, to be had", CARD(MiB(card, &nvmlMemory_v2_t::free))},
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
    {"ecc.mode.current", "", "", "error correction of the memory",
     CARD(EnabledOrDisabled(First(AskBoth(card.nvml->nvmlDeviceGetEccMode, card.device))))},
    {"ecc.mode.pending", "", "", "the same after a reset",
     CARD(EnabledOrDisabled(Second(AskBoth(card.nvml->nvmlDeviceGetEccMode, card.device))))},
    {"ecc.errors.uncorrected.volatile.total", "", "", "uncorrected errors since the last reset",
     CARD(Plain(UncorrectedEccErrors(card)))},
    {"temperature.gpu", "", "", "degrees Celsius",
     CARD(Plain(Ask(card.nvml->nvmlDeviceGetTemperature, card.device, NVML_TEMPERATURE_GPU)))},
    {"temperature.memory", "", "", "degrees Celsius", CARD(MemoryTemperature(card))},
    {"power.draw", "power.draw.instant", "W", "power now",
     CARD(Watts(Ask(card.nvml->nvmlDeviceGetPowerUsage, card.device)))},
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
