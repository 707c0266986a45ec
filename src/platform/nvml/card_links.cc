#include "platform/nvml/card_links.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "abi/driver/nvml_types.h"
#include "platform/nvml/nvml_library.h"
#include "platform/nvml/question.h"

namespace warpshare::platform {

namespace {

using nvml::Bind;
using nvml::UuidOf;

struct Functions : nvml::Basics {
  nvmlReturn_t (*pci)(nvmlDevice_t, nvmlPciInfo_t*);
  nvmlReturn_t (*state)(nvmlDevice_t, unsigned int, nvmlEnableState_t*);
  nvmlReturn_t (*remote_pci)(nvmlDevice_t, unsigned int, nvmlPciInfo_t*);
  nvmlReturn_t (*remote_type)(nvmlDevice_t, unsigned int, nvmlIntNvLinkDeviceType_t*);
};

bool BindAll(void* library, Functions& nvml) {
  return nvml::BindBasics(library, nvml) && Bind(library, "nvmlDeviceGetPciInfo_v3", nvml.pci) &&
         Bind(library, "nvmlDeviceGetNvLinkState", nvml.state) &&
         Bind(library, "nvmlDeviceGetNvLinkRemotePciInfo_v2", nvml.remote_pci) &&
         Bind(library, "nvmlDeviceGetNvLinkRemoteDeviceType", nvml.remote_type);
}

using PciAddress = std::tuple<unsigned int, unsigned int, unsigned int>;

PciAddress AddressOf(const nvmlPciInfo_t& pci) { return {pci.domain, pci.bus, pci.device}; }

struct Known {
  nvmlDevice_t device;
  GpuUuid uuid;
};

std::map<PciAddress, Known> FindCards(const Functions& nvml, const std::vector<Card>& listed) {
  std::map<PciAddress, Known> cards;
  for (const Card& each : listed) {
    nvmlDevice_t device = nullptr;
    nvmlPciInfo_t pci = {};
    if (nvml.handle(each.index, &device) != NVML_SUCCESS || nvml.pci(device, &pci) != NVML_SUCCESS)
      continue;
    if (const auto uuid = UuidOf(nvml, device)) cards[AddressOf(pci)] = {device, *uuid};
  }
  return cards;
}

bool IsActive(const Functions& nvml, nvmlDevice_t device, unsigned int link) {
  nvmlEnableState_t state = NVML_FEATURE_DISABLED;
  return nvml.state(device, link, &state) == NVML_SUCCESS && state == NVML_FEATURE_ENABLED;
}

CardLinks LinksOf(const Functions& nvml, const Known& card,
                  const std::map<PciAddress, Known>& cards) {
  CardLinks links{.card = card.uuid, .peers = {}, .is_at_switch = false};
  for (unsigned int link = 0; link < NVML_NVLINK_MAX_LINKS; ++link) {
    if (!IsActive(nvml, card.device, link)) continue;
    auto type = NVML_NVLINK_DEVICE_TYPE_UNKNOWN;
    if (nvml.remote_type(card.device, link, &type) == NVML_SUCCESS &&
        type == NVML_NVLINK_DEVICE_TYPE_SWITCH) {
      links.is_at_switch = true;
      continue;
    }
    nvmlPciInfo_t remote = {};
    if (nvml.remote_pci(card.device, link, &remote) != NVML_SUCCESS) continue;
    const auto peer = cards.find(AddressOf(remote));
    if (peer == cards.end()) continue;  // a processor, or a card that another machine has
    const GpuUuid& uuid = peer->second.uuid;
    if (std::ranges::find(links.peers, uuid) == links.peers.end()) links.peers.push_back(uuid);
  }
  return links;
}

std::vector<CardLinks> ReadLinks(const Functions& nvml, const std::vector<Card>& listed) {
  std::vector<CardLinks> links;
  const std::map<PciAddress, Known> cards = FindCards(nvml, listed);
  for (const auto& [address, card] : cards) links.push_back(LinksOf(nvml, card, cards));
  return links;
}

Result<std::vector<CardLinks>> AskDriver(const std::string& driver_folder,
                                         const std::vector<Card>& cards,
                                         std::chrono::milliseconds patience) {
  const auto library = nvml::OpenLibrary(driver_folder);
  if (!library) return Fail(library.error());
  Functions nvml = {};
  if (!BindAll(*library, nvml)) return std::vector<CardLinks>();
  if (nvml.init() != NVML_SUCCESS)
    return Fail(Errc::kUnavailable, "NVML does not start: run: warpshare doctor");
  Question<std::vector<CardLinks>> question([nvml, cards] { return ReadLinks(nvml, cards); });
  auto links = question.Await(patience);
  if (!IsDriverAsked()) nvml.shutdown();  // which might wait for who asks
  if (!links) return Fail(Errc::kUnavailable, "NVML has not answered what its links join");
  return std::move(*links);
}

}  // namespace

Result<std::vector<CardLinks>> ListLinks(const std::string& driver_folder,
                                         const std::vector<Card>& cards,
                                         std::chrono::milliseconds patience) {
  return AskOnItsOwn([&] { return AskDriver(driver_folder, cards, patience); });
}

}  // namespace warpshare::platform
