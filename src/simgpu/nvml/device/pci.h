// A card's place on the PCI bus, as NVML words it.
#pragma once

#include "simgpu/nvml/session/session.h"

namespace simgpu::nvml {

nvmlPciInfo_t PciInfoOf(const Card& card);

}  // namespace simgpu::nvml
