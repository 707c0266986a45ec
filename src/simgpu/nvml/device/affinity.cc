// Which CPUs and memory nodes of the host are near a card: those of its NUMA node, where the host
// has that node, else all.
#include <sched.h>

#include <climits>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/device/numa.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::CpusNear;
using simgpu::nvml::CpusOnline;

namespace {

constexpr unsigned kWordBits = sizeof(unsigned long) * CHAR_BIT;

// A bit mask in the words the caller has.
nvmlReturn_t GiveMask(const std::vector<unsigned>& members, unsigned words, unsigned long* mask) {
  SIMGPU_REQUIRE(mask != nullptr && words > 0, NVML_ERROR_INVALID_ARGUMENT);
  std::fill_n(mask, words, 0);
  for (const unsigned member : members) {
    SIMGPU_REQUIRE(member / kWordBits < words, NVML_ERROR_INSUFFICIENT_SIZE);
    mask[member / kWordBits] |= 1UL << member % kWordBits;
  }
  return NVML_SUCCESS;
}

nvmlReturn_t BindTo(const std::vector<unsigned>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned cpu : cpus) {
    if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  }
  return sched_setaffinity(0, sizeof(set), &set) == 0 ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

bool IsScope(nvmlAffinityScope_t scope) {
  return scope == NVML_AFFINITY_SCOPE_NODE || scope == NVML_AFFINITY_SCOPE_SOCKET;
}

}  // namespace

// Node and socket are one: the scenario knows no more than nodes.
nvmlReturn_t nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned words,
                                                 unsigned long* cpus, nvmlAffinityScope_t scope) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(IsScope(scope), NVML_ERROR_INVALID_ARGUMENT);
  return GiveMask(CpusNear(card.spec().numa_node), words, cpus);
}

nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned words, unsigned long* cpus) {
  return nvmlDeviceGetCpuAffinityWithinScope(device, words, cpus, NVML_AFFINITY_SCOPE_NODE);
}

nvmlReturn_t nvmlDeviceGetMemoryAffinity(nvmlDevice_t device, unsigned words, unsigned long* nodes,
                                         nvmlAffinityScope_t scope) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(IsScope(scope), NVML_ERROR_INVALID_ARGUMENT);
  std::vector<unsigned> near;
  if (card.spec().numa_node >= 0) near.push_back(static_cast<unsigned>(card.spec().numa_node));
  return GiveMask(near, words, nodes);
}

// Asks for the card's own memory node, which only cards have that are memory of the host.
nvmlReturn_t nvmlDeviceGetNumaNodeId(nvmlDevice_t device, unsigned* node) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(node != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  return NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceSetCpuAffinity(nvmlDevice_t device) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  return BindTo(CpusNear(card.spec().numa_node));
}

nvmlReturn_t nvmlDeviceClearCpuAffinity(nvmlDevice_t device) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  return BindTo(CpusOnline());
}
