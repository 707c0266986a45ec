// topo -m: how each two cards are joined, and which CPUs and memory nodes are near.
#include <climits>
#include <cstring>
#include <string>

#include "simgpu/smi/ask.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {
namespace {

// NVLinks of `from` that lead to `to`.
unsigned NvlinksBetween(const Card& from, const Card& to) {
  unsigned count = 0;
  for (unsigned link = 0; link < NVML_NVLINK_MAX_LINKS; ++link) {
    const auto remote = Ask(from.nvml->nvmlDeviceGetNvLinkRemotePciInfo_v2, from.device, link);
    if (remote && std::strcmp(remote->busId, to.pci.busId) == 0) ++count;
  }
  return count;
}

std::string LinkBetween(const Card& from, const Card& to) {
  if (from.device == to.device) return " X ";
  if (const unsigned nvlinks = NvlinksBetween(from, to)) return "NV" + std::to_string(nvlinks);
  const auto level = Ask(from.nvml->nvmlDeviceGetTopologyCommonAncestor, from.device, to.device);
  if (!level) return "N/A";
  switch (*level) {
    case NVML_TOPOLOGY_INTERNAL:
    case NVML_TOPOLOGY_SINGLE:
      return "PIX";
    case NVML_TOPOLOGY_MULTIPLE:
      return "PXB";
    case NVML_TOPOLOGY_HOSTBRIDGE:
      return "PHB";
    case NVML_TOPOLOGY_NODE:
      return "NODE";
    default:
      return "SYS";
  }
}

// The members of a bit mask as "0-3,8".
template <size_t kWords>
std::string Members(const unsigned long (&mask)[kWords]) {
  constexpr int kWordBits = sizeof(unsigned long) * CHAR_BIT;
  constexpr int kBits = static_cast<int>(kWords) * kWordBits;
  const auto has = [&](int bit) {
    return bit < kBits && (mask[bit / kWordBits] >> bit % kWordBits & 1) != 0;
  };
  std::string text;
  for (int bit = 0; bit < kBits; ++bit) {
    if (!has(bit)) continue;
    const int first = bit;
    while (has(bit + 1)) ++bit;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (bit > first) text += "-" + std::to_string(bit);
  }
  return text.empty() ? "N/A" : text;
}

std::string CpusNear(const Card& card) {
  unsigned long mask[16] = {};
  const auto function = card.nvml->nvmlDeviceGetCpuAffinity;
  if (function == nullptr || function(card.device, 16, mask) != NVML_SUCCESS) return "N/A";
  return Members(mask);
}

std::string NodesNear(const Card& card) {
  unsigned long mask[4] = {};
  const auto function = card.nvml->nvmlDeviceGetMemoryAffinity;
  if (function == nullptr ||
      function(card.device, 4, mask, NVML_AFFINITY_SCOPE_NODE) != NVML_SUCCESS) {
    return "N/A";
  }
  return Members(mask);
}

}  // namespace

void PrintTopology(const Machine& machine, std::FILE* out) {
  for (const Card& card : machine.cards) std::fprintf(out, "\tGPU%u", card.index);
  std::fputs("\tCPU Affinity\tNUMA Affinity\n", out);
  for (const Card& from : machine.cards) {
    std::fprintf(out, "GPU%u", from.index);
    for (const Card& to : machine.cards) std::fprintf(out, "\t%s", LinkBetween(from, to).c_str());
    std::fprintf(out, "\t%s\t%s\n", CpusNear(from).c_str(), NodesNear(from).c_str());
  }
  std::fputs(
      "\nLegend:\n\n"
      "  X    = the card itself\n"
      "  SYS  = over the link between NUMA nodes\n"
      "  NODE = over the links between host bridges of one NUMA node\n"
      "  PHB  = over one host bridge\n"
      "  PXB  = over several PCIe switches\n"
      "  PIX  = over one PCIe switch\n"
      "  NV#  = over # NVLinks\n",
      out);
}

}  // namespace simgpu::smi
