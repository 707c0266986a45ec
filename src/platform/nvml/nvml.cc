#include "platform/nvml/nvml.h"

#include <dlfcn.h>

#include <cstring>
#include <string_view>

#include "abi/driver/nvml_types.h"
#include "abi/names/env.h"
#include "types/printable.h"

namespace warpshare::platform {

namespace {

struct Functions {
  nvmlReturn_t (*init)();
  nvmlReturn_t (*shutdown)();
  const char* (*error_string)(nvmlReturn_t);
  nvmlReturn_t (*count)(unsigned int*);
  nvmlReturn_t (*handle)(unsigned int, nvmlDevice_t*);
  nvmlReturn_t (*uuid)(nvmlDevice_t, char*, unsigned int);
  nvmlReturn_t (*name)(nvmlDevice_t, char*, unsigned int);
  nvmlReturn_t (*memory)(nvmlDevice_t, nvmlMemory_t*);
};

template <typename Function>
bool Bind(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

bool BindAll(void* library, Functions& nvml) {
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
              .used = Bytes(memory.used)};
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
  const std::string path = driver_folder + "/" + abi::kNvmlSoname;
  // Left open: the library may have left threads or handlers behind that run its code.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Fail(Errc::kNotFound,
                "cannot load " + path + " (" + Printable(dlerror()) + "): run: warpshare doctor");
  Functions nvml = {};
  if (!BindAll(library, nvml))
    return Fail(Errc::kCorrupt, path + " lacks functions of NVML: install driver 450 or later");
  if (const nvmlReturn_t answer = nvml.init(); answer != NVML_SUCCESS)
    return DriverSays(nvml, "cannot ask for the cards", answer);
  auto cards = ReadCards(nvml);
  nvml.shutdown();
  return cards;
}

}  // namespace warpshare::platform
