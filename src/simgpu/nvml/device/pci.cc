#include <cstddef>
#include <cstdio>
#include <cstring>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/device/pci.h"
#include "simgpu/nvml/session/answer.h"

namespace simgpu::nvml {
namespace {

// Device and subsystem of an A100 SXM4 40GB in the upper half, NVIDIA in the lower.
constexpr unsigned kDeviceId = 0x20B0'10DE;
constexpr unsigned kSubsystemId = 0x134F'10DE;

// Fills the first `bytes` of the struct: the older functions know less of it.
nvmlReturn_t TellPci(nvmlDevice_t device, nvmlPciInfo_t* pci, size_t bytes) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(pci != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  const nvmlPciInfo_t whole = PciInfoOf(card);
  std::memcpy(pci, &whole, bytes);
  return NVML_SUCCESS;
}

}  // namespace

nvmlPciInfo_t PciInfoOf(const Card& card) {
  const world::PciAddress& address = card.spec().pci;
  nvmlPciInfo_t pci{};
  std::snprintf(pci.busIdLegacy, sizeof(pci.busIdLegacy), "%04X:%02X:%02X.0",
                address.domain & 0xFFFF, address.bus & 0xFF, address.device & 0xFF);
  std::snprintf(pci.busId, sizeof(pci.busId), "%08X:%02X:%02X.0", address.domain, address.bus,
                address.device);
  pci.domain = address.domain;
  pci.bus = address.bus;
  pci.device = address.device;
  pci.pciDeviceId = kDeviceId;
  pci.pciSubSystemId = kSubsystemId;
  return pci;
}

}  // namespace simgpu::nvml

using simgpu::nvml::Card;
using simgpu::nvml::PciInfoOf;
using simgpu::nvml::TellPci;
using simgpu::nvml::TellVersioned;

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return TellPci(device, pci, offsetof(nvmlPciInfo_t, pciSubSystemId));
}

nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return TellPci(device, pci, offsetof(nvmlPciInfo_t, busId));
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return TellPci(device, pci, sizeof(*pci));
}

nvmlReturn_t nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_t* pci) {
  constexpr unsigned kDisplayController = 0x03;  // PCI base class
  constexpr unsigned k3dController = 0x02;       // its subclass, for cards without a display
  return TellVersioned(device, pci, nvmlPciInfoExt_v1, [](const Card& card, nvmlPciInfoExt_t& out) {
    const nvmlPciInfo_t info = PciInfoOf(card);
    out.domain = info.domain;
    out.bus = info.bus;
    out.device = info.device;
    out.pciDeviceId = info.pciDeviceId;
    out.pciSubSystemId = info.pciSubSystemId;
    out.baseClass = kDisplayController;
    out.subClass = k3dController;
    std::memcpy(out.busId, info.busId, sizeof(out.busId));
  });
}
