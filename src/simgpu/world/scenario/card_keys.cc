#include "simgpu/world/scenario/card_keys.h"

#include <cstdio>
#include <type_traits>

#include "simgpu/world/scenario/quantity.h"

namespace simgpu::world {
namespace {

// Readers and writers made from a member and what it holds. Bounds keep the layout's arithmetic and
// the driver's int attributes in range.
template <auto kMember, uint64_t kMin, uint64_t kMax>
bool ReadCount(CardSpec& card, std::string_view text, std::string* error) {
  uint64_t value = 0;
  if (!ParseCount(text, &value, error)) return false;
  if (value < kMin || value > kMax) {
    *error = std::string(text) + " is not between " + std::to_string(kMin) + " and " +
             std::to_string(kMax);
    return false;
  }
  card.*kMember = static_cast<uint32_t>(value);
  return true;
}

template <auto kMember>
std::string WriteCount(const CardSpec& card) {
  return std::to_string(card.*kMember);
}

template <auto kMember>
bool ReadTime(CardSpec& card, std::string_view text, std::string* error) {
  return ParseDuration(text, &(card.*kMember), error);
}

template <auto kMember>
std::string WriteTime(const CardSpec& card) {
  return PrintDuration(card.*kMember);
}

template <auto kMember>
bool ReadAmount(CardSpec& card, std::string_view text, std::string* error) {
  return ParseBytes(text, &(card.*kMember), error);
}

template <auto kMember>
std::string WriteAmount(const CardSpec& card) {
  return PrintBytes(card.*kMember);
}

template <auto kMember>
bool ReadSpeed(CardSpec& card, std::string_view text, std::string* error) {
  return ParseRate(text, &(card.*kMember), error);
}

template <auto kMember>
std::string WriteSpeed(const CardSpec& card) {
  return PrintRate(card.*kMember);
}

template <auto kMember>
bool ReadText(CardSpec& card, std::string_view text, std::string* error) {
  if (!IsPlainText(text, error)) return false;
  card.*kMember = text;
  return true;
}

template <auto kMember>
std::string WriteText(const CardSpec& card) {
  return card.*kMember;
}

// An enum by the names of its values.
template <auto kMember, const auto& kNames>
bool ReadChoice(CardSpec& card, std::string_view text, std::string* error) {
  std::string choices;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (text == kNames[i]) {
      card.*kMember = static_cast<std::remove_reference_t<decltype(card.*kMember)>>(i);
      return true;
    }
    choices += (i == 0 ? "" : i + 1 < std::size(kNames) ? ", " : " or ") + std::string(kNames[i]);
  }
  *error = "\"" + std::string(text) + "\" is not " + choices;
  return false;
}

template <auto kMember, const auto& kNames>
std::string WriteChoice(const CardSpec& card) {
  return std::string(kNames[static_cast<size_t>(card.*kMember)]);
}

bool ReadMemory(CardSpec& card, std::string_view text, std::string* error) {
  uint64_t bytes = 0;
  if (!ParseBytes(text, &bytes, error)) return false;
  if (bytes < kMiB || bytes > 4096 * kGiB) {
    *error = "a card has 1MiB to 4TiB of memory, not " + std::string(text);
    return false;
  }
  card.memory_bytes = bytes;
  return true;
}

// A time within bounds, which `kBounds` says in words.
template <auto kMember, uint64_t kMinNs, uint64_t kMaxNs, const auto& kBounds>
bool ReadTimeWithin(CardSpec& card, std::string_view text, std::string* error) {
  uint64_t ns = 0;
  if (!ParseDuration(text, &ns, error)) return false;
  if (ns < kMinNs || ns > kMaxNs) {
    *error = kBounds + std::string(", not ") + std::string(text);
    return false;
  }
  card.*kMember = ns;
  return true;
}

bool ReadEvent(CardSpec& card, std::string_view text, std::string* error) {
  uint64_t ns = 0;
  if (!ParseDuration(text, &ns, error)) return false;
  if (ns > 1'000'000) {
    *error = "an event costs 0ns to 1ms, not " + std::string(text);
    return false;
  }
  card.event_ns = ns;
  return true;
}

bool ReadNumaNode(CardSpec& card, std::string_view text, std::string* error) {
  uint64_t node = 0;
  if (text == "none") {
    card.numa_node = -1;
    return true;
  }
  if (!ParseCount(text, &node, error) || node > 1023) {
    *error = "\"" + std::string(text) + "\" is not a NUMA node, such as 0, or none";
    return false;
  }
  card.numa_node = static_cast<int>(node);
  return true;
}

std::string WriteNumaNode(const CardSpec& card) {
  if (card.numa_node == CardSpec::kNumaNodeUnset) return "";
  return card.numa_node < 0 ? "none" : std::to_string(card.numa_node);
}

bool ReadUuid(CardSpec& card, std::string_view text, std::string* error) {
  std::array<uint8_t, 16> uuid{};
  size_t digits = 0;
  std::string_view rest = text.substr(0, 4) == "GPU-" ? text.substr(4) : text;
  for (const char c : rest) {
    if (c == '-') continue;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0 || digits == 32) {
      digits = 0;
      break;
    }
    uuid[digits / 2] = static_cast<uint8_t>(uuid[digits / 2] << 4 | digit);
    ++digits;
  }
  if (digits != 32) {
    *error = "\"" + std::string(text) +
             "\" is not a uuid, such as GPU-5e6f7a80-1234-4abc-9def-0123456789ab";
    return false;
  }
  card.uuid = uuid;
  return true;
}

std::string WriteUuid(const CardSpec& card) {
  return card.uuid == std::array<uint8_t, 16>{} ? "" : UuidText(card.uuid);
}

bool ReadPci(CardSpec& card, std::string_view text, std::string* error) {
  PciAddress pci;
  int used = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%8x:%2x:%2x.0%n", &pci.domain, &pci.bus, &pci.device, &used) !=
          3 ||
      used != static_cast<int>(copy.size()) || pci.device > 31) {
    *error = "\"" + copy + "\" is not a PCI address, such as 0000:07:00.0";
    return false;
  }
  card.pci = pci;
  return true;
}

std::string WritePci(const CardSpec& card) { return PciText(card.pci); }

bool ReadCapability(CardSpec& card, std::string_view text, std::string* error) {
  int major = 0;
  int minor = 0;
  int used = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%2d.%1d%n", &major, &minor, &used) != 2 ||
      used != static_cast<int>(copy.size()) || major < 1 || minor < 0) {
    *error = "\"" + copy + "\" is not a compute capability, such as 8.0";
    return false;
  }
  card.compute_major = major;
  card.compute_minor = minor;
  return true;
}

std::string WriteCapability(const CardSpec& card) {
  return std::to_string(card.compute_major) + "." + std::to_string(card.compute_minor);
}

constexpr char kSliceBounds[] = "a slice lasts 50us to 10s";
constexpr char kSwitchBounds[] = "a switch between processes costs 0ns to 10ms";
constexpr std::string_view kProcessMemory[] = {"reported", "hidden", "unknown"};
constexpr std::string_view kUtilizationPids[] = {"container", "host"};

using C = CardSpec;
constexpr CardKey kKeys[] = {
    {"name", ReadText<&C::name>, WriteText<&C::name>},
    {"uuid", ReadUuid, WriteUuid},
    {"serial", ReadText<&C::serial>, WriteText<&C::serial>},
    {"pci", ReadPci, WritePci},
    {"numa_node", ReadNumaNode, WriteNumaNode},
    {"memory", ReadMemory, WriteAmount<&C::memory_bytes>},
    {"memory_bus_bits", ReadCount<&C::memory_bus_bits, 32, 65536>, WriteCount<&C::memory_bus_bits>},
    {"memory_clock_mhz", ReadCount<&C::memory_clock_mhz, 1, 100'000>,
     WriteCount<&C::memory_clock_mhz>},
    {"sm_count", ReadCount<&C::sm_count, 1, 4096>, WriteCount<&C::sm_count>},
    {"sm_clock_mhz", ReadCount<&C::sm_clock_mhz, 1, 100'000>, WriteCount<&C::sm_clock_mhz>},
    {"compute_capability", ReadCapability, WriteCapability},
    {"l2", ReadAmount<&C::l2_bytes>, WriteAmount<&C::l2_bytes>},
    {"power_limit_watts", ReadCount<&C::power_limit_watts, 1, 10'000>,
     WriteCount<&C::power_limit_watts>},
    {"pcie_generation", ReadCount<&C::pcie_generation, 1, 7>, WriteCount<&C::pcie_generation>},
    {"pcie_lanes", ReadCount<&C::pcie_lanes, 1, 32>, WriteCount<&C::pcie_lanes>},
    {"context_memory", ReadAmount<&C::context_bytes>, WriteAmount<&C::context_bytes>},
    {"module_memory", ReadAmount<&C::module_bytes>, WriteAmount<&C::module_bytes>},
    {"graph_exec_memory", ReadAmount<&C::graph_exec_bytes>, WriteAmount<&C::graph_exec_bytes>},
    {"function_memory", ReadAmount<&C::function_bytes>, WriteAmount<&C::function_bytes>},
    {"slice", ReadTimeWithin<&C::slice_ns, 50'000, 10'000'000'000, kSliceBounds>,
     WriteTime<&C::slice_ns>},
    {"switch_cost", ReadTimeWithin<&C::switch_ns, 0, 10'000'000, kSwitchBounds>,
     WriteTime<&C::switch_ns>},
    {"event_cost", ReadEvent, WriteTime<&C::event_ns>},
    {"kernel_duration", ReadTime<&C::kernel_ns>, WriteTime<&C::kernel_ns>},
    {"host_to_device", ReadSpeed<&C::host_to_device_bps>, WriteSpeed<&C::host_to_device_bps>},
    {"device_to_host", ReadSpeed<&C::device_to_host_bps>, WriteSpeed<&C::device_to_host_bps>},
    {"device_to_device", ReadSpeed<&C::device_to_device_bps>, WriteSpeed<&C::device_to_device_bps>},
    {"peer", ReadSpeed<&C::peer_bps>, WriteSpeed<&C::peer_bps>},
    {"copy_latency", ReadTime<&C::copy_latency_ns>, WriteTime<&C::copy_latency_ns>},
    {"process_memory", ReadChoice<&C::process_memory, kProcessMemory>,
     WriteChoice<&C::process_memory, kProcessMemory>},
    {"utilization_pids", ReadChoice<&C::utilization_pids, kUtilizationPids>,
     WriteChoice<&C::utilization_pids, kUtilizationPids>},
};

constexpr std::string_view kLinkNames[] = {"X", "NV", "PIX", "PXB", "PHB", "NODE", "SYS"};

}  // namespace

std::span<const CardKey> CardKeys() { return kKeys; }

bool IsPlainText(std::string_view text, std::string* error) {
  constexpr size_t kLongest = 90;  // NVML's names end at 96
  bool plain = !text.empty() && text.size() <= kLongest && Trim(text) == text;
  for (const char c : text) plain = plain && c >= ' ' && c != '#' && c != 0x7f;
  if (!plain) *error = "1 to 90 printable characters, without #";
  return plain;
}

bool ReadXid(std::string_view value, ScheduledXid* xid, std::string* error) {
  const size_t word = value.find(" after ");
  uint64_t number = 0;
  std::string inner;
  if (word == std::string_view::npos || !ParseCount(Trim(value.substr(0, word)), &number, &inner) ||
      number == 0 || number > 999 ||
      !ParseDuration(Trim(value.substr(word + 7)), &xid->after_ns, &inner)) {
    *error = "\"" + std::string(value) + "\" is not a fault, such as 79 after 1500ms";
    return false;
  }
  xid->xid = static_cast<uint32_t>(number);
  return true;
}

bool ReadLink(std::string_view value, Link* link, std::string* error) {
  for (size_t i = 2; i < std::size(kLinkNames); ++i) {
    if (value == kLinkNames[i]) {
      *link = {static_cast<LinkKind>(i), 0};
      return true;
    }
  }
  uint64_t lanes = 0;
  std::string inner;
  if (value.substr(0, 2) == "NV" && ParseCount(value.substr(2), &lanes, &inner) && lanes >= 1 &&
      lanes <= 18) {
    *link = {LinkKind::kNvlink, static_cast<uint32_t>(lanes)};
    return true;
  }
  *error = "\"" + std::string(value) + "\" is not a link: NV1 to NV18, PIX, PXB, PHB, NODE or SYS";
  return false;
}

std::string WriteLink(const Link& link) {
  const std::string name(kLinkNames[static_cast<size_t>(link.kind)]);
  return link.kind == LinkKind::kNvlink ? name + std::to_string(link.lanes) : name;
}

}  // namespace simgpu::world
