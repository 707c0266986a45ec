#include "platform/nvml/nvml.h"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "abi/driver/nvml_types.h"
#include "platform/nvml/nvml_library.h"
#include "types/printable.h"

namespace warpshare::platform {

namespace {

using nvml::Bind;

struct Functions {
  nvmlReturn_t (*init)();
  nvmlReturn_t (*shutdown)();
  const char* (*error_string)(nvmlReturn_t);
  nvmlReturn_t (*count)(unsigned int*);
  nvmlReturn_t (*handle)(unsigned int, nvmlDevice_t*);
  nvmlReturn_t (*uuid)(nvmlDevice_t, char*, unsigned int);
  nvmlReturn_t (*name)(nvmlDevice_t, char*, unsigned int);
  nvmlReturn_t (*memory)(nvmlDevice_t, nvmlMemory_t*);
  // Null where the driver is too old for them.
  nvmlReturn_t (*minor)(nvmlDevice_t, unsigned int*);
  nvmlReturn_t (*affinity)(nvmlDevice_t, unsigned int, unsigned long*, nvmlAffinityScope_t);
};

bool BindAll(void* library, Functions& nvml) {
  Bind(library, "nvmlDeviceGetMinorNumber", nvml.minor);
  Bind(library, "nvmlDeviceGetMemoryAffinity", nvml.affinity);
  return Bind(library, "nvmlInit_v2", nvml.init) && Bind(library, "nvmlShutdown", nvml.shutdown) &&
         Bind(library, "nvmlErrorString", nvml.error_string) &&
         Bind(library, "nvmlDeviceGetCount_v2", nvml.count) &&
         Bind(library, "nvmlDeviceGetHandleByIndex_v2", nvml.handle) &&
         Bind(library, "nvmlDeviceGetUUID", nvml.uuid) &&
         Bind(library, "nvmlDeviceGetName", nvml.name) &&
         Bind(library, "nvmlDeviceGetMemoryInfo", nvml.memory);
}

Failure DriverSays(const Functions& nvml, const std::string& what, nvmlReturn_t answer) {
  return Fail(Errc::kUnavailable, what + ": the driver says '" +
                                      Printable(nvml.error_string(answer)) +
                                      "': run: warpshare doctor");
}

std::optional<uint32_t> MinorOf(const Functions& nvml, nvmlDevice_t device) {
  unsigned int minor = 0;
  if (nvml.minor == nullptr || nvml.minor(device, &minor) != NVML_SUCCESS) return std::nullopt;
  return minor;
}

// The node whose memory is near, if it is one.
std::optional<uint32_t> NumaNodeOf(const Functions& nvml, nvmlDevice_t device) {
  std::array<unsigned long, 16> nodes = {};  // 1024 of them, as many as the kernel has
  constexpr uint32_t kWordBits = 64;
  if (nvml.affinity == nullptr ||
      nvml.affinity(device, nodes.size(), nodes.data(), NVML_AFFINITY_SCOPE_NODE) != NVML_SUCCESS)
    return std::nullopt;
  std::optional<uint32_t> only;
  for (uint32_t word = 0; word < nodes.size(); ++word) {
    if (nodes[word] == 0) continue;
    if (only || !std::has_single_bit(nodes[word])) return std::nullopt;
    only = word * kWordBits + static_cast<uint32_t>(std::countr_zero(nodes[word]));
  }
  return only;
}

Result<Card> ReadCard(const Functions& nvml, uint32_t index) {
  const std::string what = "cannot read card " + std::to_string(index);
  nvmlDevice_t device = nullptr;
  char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE] = {};
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = {};
  nvmlMemory_t memory = {};
  nvmlReturn_t answer = nvml.handle(index, &device);
  if (answer == NVML_SUCCESS) answer = nvml.uuid(device, uuid, sizeof(uuid));
  if (answer == NVML_SUCCESS) answer = nvml.name(device, name, sizeof(name));
  if (answer == NVML_SUCCESS) answer = nvml.memory(device, &memory);
  if (answer != NVML_SUCCESS) return DriverSays(nvml, what, answer);
  const auto parsed = ParseGpuUuid(std::string_view(uuid, strnlen(uuid, sizeof(uuid))));
  if (!parsed)
    return Fail(Errc::kCorrupt, what + ": its uuid '" + Printable(uuid) +
                                    "' has a form that this version of warpshare does not know");
  return Card{.index = index,
              .uuid = *parsed,
              .name = Printable(std::string_view(name, sizeof(name))),
              .total = Bytes(memory.total),
              .used = Bytes(memory.used),
              .minor = MinorOf(nvml, device),
              .numa_node = NumaNodeOf(nvml, device)};
}

Result<std::vector<Card>> ReadCards(const Functions& nvml) {
  unsigned int count = 0;
  if (const nvmlReturn_t answer = nvml.count(&count); answer != NVML_SUCCESS)
    return DriverSays(nvml, "cannot count the cards", answer);
  std::vector<Card> cards;
  for (uint32_t index = 0; index < count; ++index) {
    auto card = ReadCard(nvml, index);
    if (!card) return Forward(card);
    cards.push_back(std::move(*card));
  }
  return cards;
}

}  // namespace

Result<std::vector<Card>> ListCards(const std::string& driver_folder) {
  const auto library = nvml::OpenLibrary(driver_folder);
  if (!library) return Fail(library.error());
  Functions nvml = {};
  if (!BindAll(*library, nvml))
    return Fail(Errc::kCorrupt,
                driver_folder + ": its NVML lacks functions: install driver 450 or later");
  if (const nvmlReturn_t answer = nvml.init(); answer != NVML_SUCCESS)
    return DriverSays(nvml, "cannot ask for the cards", answer);
  auto cards = ReadCards(nvml);
  nvml.shutdown();
  return cards;
}

}  // namespace warpshare::platform
