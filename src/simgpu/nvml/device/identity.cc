// Who a card is: name, numbers, versions.
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CheckDevice;
using simgpu::nvml::Tell;
using simgpu::nvml::TellText;
using simgpu::nvml::TellVersioned;
using simgpu::world::UuidText;

namespace {

// Versions of parts that are not simulated; of the form the real ones have.
constexpr std::string_view kVbios = "92.00.45.00.03";
constexpr std::string_view kInforomImage = "1001.0230.00.03";
constexpr std::string_view kPartNumber = "900-21001-0000-000";

}  // namespace

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned length) {
  return TellText(device, {name, length}, [](const Card& card) { return card.spec().name; });
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned length) {
  return TellText(device, {uuid, length},
                  [](const Card& card) { return UuidText(card.spec().uuid); });
}

nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char* serial, unsigned length) {
  return TellText(device, {serial, length}, [](const Card& card) { return card.spec().serial; });
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned* minor_number) {
  return Tell(device, minor_number, [](const Card& card) { return card.index; });
}

nvmlReturn_t nvmlDeviceGetModuleId(nvmlDevice_t device, unsigned* module_id) {
  return Tell(device, module_id, [](const Card& card) { return card.index; });
}

nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* brand) {
  return Tell(device, brand, [](const Card&) { return NVML_BRAND_NVIDIA; });
}

// Every card is a board of its own; the real driver makes the number of the PCI address too.
nvmlReturn_t nvmlDeviceGetBoardId(nvmlDevice_t device, unsigned* board_id) {
  return Tell(device, board_id, [](const Card& card) {
    return card.spec().pci.domain << 16 | card.spec().pci.bus << 8 | card.spec().pci.device;
  });
}

nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned* multi_gpu) {
  return Tell(device, multi_gpu, [](const Card&) { return 0; });
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2, int* on_same_board) {
  SIMGPU_TRY(CheckDevice(device2));
  return Tell(device1, on_same_board, [&](const Card&) { return device1 == device2; });
}

nvmlReturn_t nvmlDeviceGetBoardPartNumber(nvmlDevice_t device, char* part_number, unsigned length) {
  return TellText(device, {part_number, length}, [](const Card&) { return kPartNumber; });
}

nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char* version, unsigned length) {
  return TellText(device, {version, length}, [](const Card&) { return kVbios; });
}

nvmlReturn_t nvmlDeviceGetInforomImageVersion(nvmlDevice_t device, char* version, unsigned length) {
  return TellText(device, {version, length}, [](const Card&) { return kInforomImage; });
}

nvmlReturn_t nvmlDeviceGetInforomVersion(nvmlDevice_t device, nvmlInforomObject_t object,
                                         char* version, unsigned length) {
  return TellText(device, {version, length}, [object](const Card&) -> std::string_view {
    switch (object) {
      case NVML_INFOROM_OEM:
        return "2.0";
      case NVML_INFOROM_ECC:
        return "6.16";
      default:
        return {};
    }
  });
}

nvmlReturn_t nvmlDeviceValidateInforom(nvmlDevice_t device) { return CheckDevice(device); }

nvmlReturn_t nvmlDeviceGetGspFirmwareMode(nvmlDevice_t device, unsigned* enabled,
                                          unsigned* default_mode) {
  SIMGPU_TRY(Tell(device, enabled, [](const Card&) { return 1; }));
  return Tell(device, default_mode, [](const Card&) { return 1; });
}

// The firmware comes with the driver. There is no length: NVML asks for room for 64 characters.
nvmlReturn_t nvmlDeviceGetGspFirmwareVersion(nvmlDevice_t device, char* version) {
  constexpr unsigned kRoom = 64;
  return TellText(device, {version, kRoom},
                  [](const Card& card) { return card.world->scenario().driver_version; });
}

// A number that never repeats between devices: the first half of the UUID.
nvmlReturn_t nvmlDeviceGetPdi(nvmlDevice_t device, nvmlPdi_t* pdi) {
  return TellVersioned(device, pdi, nvmlPdi_v1, [](const Card& card, nvmlPdi_t& out) {
    std::memcpy(&out.value, card.spec().uuid.data(), sizeof(out.value));
  });
}
