// NVLinks as the scenario draws them: each goes from one card to another, and is always up.
#include "simgpu/nvml/device/pci.h"
#include "simgpu/nvml/link/api.h"
#include "simgpu/nvml/link/nvlinks.h"
#include "simgpu/nvml/session/answer.h"

namespace simgpu::nvml {
namespace {

// The card at the other end of the link. A link that a card could have and has not is not
// supported; one that no card has is no link.
nvmlReturn_t PeerBehind(nvmlDevice_t device, unsigned link, Card* peer) {
  SIMGPU_TRY(CardOf(device, peer));
  SIMGPU_REQUIRE(link < NVML_NVLINK_MAX_LINKS, NVML_ERROR_INVALID_ARGUMENT);
  const std::vector<int> links = NvlinksOf(*peer);
  SIMGPU_REQUIRE(link < links.size(), NVML_ERROR_NOT_SUPPORTED);
  peer->index = links[link];
  return NVML_SUCCESS;
}

}  // namespace

std::vector<int> NvlinksOf(const Card& card) {
  std::vector<int> links;
  for (int peer = 0; peer < card.world->card_count(); ++peer) {
    const world::Link link = card.world->scenario().LinkBetween(card.index, peer);
    if (link.kind == world::LinkKind::kNvlink) links.insert(links.end(), link.lanes, peer);
  }
  if (links.size() > NVML_NVLINK_MAX_LINKS) links.resize(NVML_NVLINK_MAX_LINKS);
  return links;
}

}  // namespace simgpu::nvml

using simgpu::nvml::Card;
using simgpu::nvml::PeerBehind;
using simgpu::nvml::Tell;

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned link,
                                      nvmlEnableState_t* active) {
  Card peer;
  SIMGPU_TRY(PeerBehind(device, link, &peer));
  return Tell(device, active, [](const Card&) { return NVML_FEATURE_ENABLED; });
}

nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned link, unsigned* version) {
  Card peer;
  SIMGPU_TRY(PeerBehind(device, link, &peer));
  return Tell(device, version, [](const Card&) { return simgpu::nvml::kNvlinkVersion; });
}

nvmlReturn_t nvmlDeviceGetNvLinkCapability(nvmlDevice_t device, unsigned link,
                                           nvmlNvLinkCapability_t capability, unsigned* has) {
  Card peer;
  SIMGPU_TRY(PeerBehind(device, link, &peer));
  SIMGPU_REQUIRE(capability >= 0 && capability < NVML_NVLINK_CAP_COUNT,
                 NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, has, [capability](const Card&) {
    return capability == NVML_NVLINK_CAP_P2P_SUPPORTED ||
           capability == NVML_NVLINK_CAP_P2P_ATOMICS || capability == NVML_NVLINK_CAP_VALID;
  });
}

nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned link,
                                             nvmlNvLinkErrorCounter_t counter,
                                             unsigned long long* count) {
  Card peer;
  SIMGPU_TRY(PeerBehind(device, link, &peer));
  SIMGPU_REQUIRE(counter >= 0 && counter < NVML_NVLINK_ERROR_COUNT, NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device, count, [](const Card&) { return 0; });
}

nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned link,
                                                 nvmlIntNvLinkDeviceType_t* type) {
  Card peer;
  SIMGPU_TRY(PeerBehind(device, link, &peer));
  return Tell(device, type, [](const Card&) { return NVML_NVLINK_DEVICE_TYPE_GPU; });
}

nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned link,
                                                 nvmlPciInfo_t* pci) {
  Card peer;
  SIMGPU_TRY(PeerBehind(device, link, &peer));
  return Tell(device, pci, [&peer](const Card&) { return simgpu::nvml::PciInfoOf(peer); });
}

// The older struct ends before busId.
nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo(nvmlDevice_t device, unsigned link,
                                              nvmlPciInfo_t* pci) {
  Card peer;
  SIMGPU_TRY(PeerBehind(device, link, &peer));
  SIMGPU_REQUIRE(pci != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  const nvmlPciInfo_t whole = simgpu::nvml::PciInfoOf(peer);
  std::memcpy(pci, &whole, offsetof(nvmlPciInfo_t, busId));
  return NVML_SUCCESS;
}
