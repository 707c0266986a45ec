// Handles: by number, serial number, UUID and PCI address.
#include <cstdio>
#include <cstring>
#include <string>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::HandleOf;
using simgpu::nvml::Ready;
using simgpu::nvml::Tell;
using simgpu::world::CardSpec;
using simgpu::world::PciAddress;
using simgpu::world::UuidText;
using simgpu::world::World;

namespace {

constexpr size_t kUuidTextLength = 40;  // GPU-8-4-4-4-12

// The first card that `is_it(spec)` holds for; NVML_ERROR_NOT_FOUND when there is none.
template <typename IsIt>
nvmlReturn_t FindCard(World& world, nvmlDevice_t* device, IsIt is_it) {
  for (int card = 0; card < world.card_count(); ++card) {
    if (!is_it(world.card(card))) continue;
    *device = HandleOf(card);
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

// domain:bus:device[.function] in hexadecimal; the domain may be left out.
bool ParsePci(const char* text, PciAddress* address) {
  int end = 0;
  if (std::sscanf(text, "%x:%x:%x%n", &address->domain, &address->bus, &address->device, &end) !=
      3) {
    address->domain = 0;
    if (std::sscanf(text, "%x:%x%n", &address->bus, &address->device, &end) != 2) return false;
  }
  const char* const rest = text + end;
  return *rest == '\0' || std::strcmp(rest, ".0") == 0;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned* count) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(count != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  *count = static_cast<unsigned>(world->card_count());
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCount(unsigned* count) { return nvmlDeviceGetCount_v2(count); }

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t* device) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(device != nullptr && index < static_cast<unsigned>(world->card_count()),
                 NVML_ERROR_INVALID_ARGUMENT);
  *device = HandleOf(static_cast<int>(index));
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t* device) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn_t nvmlDeviceGetHandleBySerial(const char* serial, nvmlDevice_t* device) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(serial != nullptr && *serial != '\0' && device != nullptr,
                 NVML_ERROR_INVALID_ARGUMENT);
  return FindCard(*world, device, [serial](const CardSpec& spec) { return spec.serial == serial; });
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(uuid != nullptr && device != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(std::strlen(uuid) == kUuidTextLength, NVML_ERROR_INVALID_ARGUMENT);
  return FindCard(*world, device,
                  [uuid](const CardSpec& spec) { return UuidText(spec.uuid) == uuid; });
}

nvmlReturn_t nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t* uuid, nvmlDevice_t* device) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(uuid != nullptr && device != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE(uuid->version == nvmlUUID_v1, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  switch (uuid->type) {
    case NVML_UUID_TYPE_ASCII:
      return nvmlDeviceGetHandleByUUID(
          std::string(uuid->value.str, strnlen(uuid->value.str, sizeof(uuid->value.str))).c_str(),
          device);
    case NVML_UUID_TYPE_BINARY:
      return FindCard(*world, device, [uuid](const CardSpec& spec) {
        return std::memcmp(spec.uuid.data(), uuid->value.bytes, spec.uuid.size()) == 0;
      });
    default:
      return NVML_ERROR_INVALID_ARGUMENT;
  }
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  PciAddress wanted;
  SIMGPU_REQUIRE(bus_id != nullptr && device != nullptr && ParsePci(bus_id, &wanted),
                 NVML_ERROR_INVALID_ARGUMENT);
  return FindCard(*world, device, [&wanted](const CardSpec& spec) {
    return spec.pci.domain == wanted.domain && spec.pci.bus == wanted.bus &&
           spec.pci.device == wanted.device;
  });
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* bus_id, nvmlDevice_t* device) {
  return nvmlDeviceGetHandleByPciBusId_v2(bus_id, device);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned* index) {
  return Tell(device, index, [](const auto& card) { return card.index; });
}
