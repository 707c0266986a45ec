#include "platform/nvml/card_events.h"

#include <map>
#include <thread>

#include "platform/nvml/nvml_library.h"

namespace warpshare::platform {

namespace {

using nvml::Bind;
using nvml::UuidOf;

struct Functions : nvml::Basics {
  nvmlReturn_t (*handle_by_uuid)(const char*, nvmlDevice_t*);
  nvmlReturn_t (*memory)(nvmlDevice_t, nvmlMemory_t*);
  nvmlReturn_t (*create)(nvmlEventSet_t*);
  nvmlReturn_t (*watch)(nvmlDevice_t, unsigned long long, nvmlEventSet_t);
  nvmlReturn_t (*wait)(nvmlEventSet_t, nvmlEventData_t*, unsigned int);
  nvmlReturn_t (*free)(nvmlEventSet_t);
};

bool BindAll(void* library, Functions& nvml) {
  return nvml::BindBasics(library, nvml) &&
         Bind(library, "nvmlDeviceGetHandleByUUID", nvml.handle_by_uuid) &&
         Bind(library, "nvmlDeviceGetMemoryInfo", nvml.memory) &&
         Bind(library, "nvmlEventSetCreate", nvml.create) &&
         Bind(library, "nvmlDeviceRegisterEvents", nvml.watch) &&
         Bind(library, "nvmlEventSetWait_v2", nvml.wait) &&
         Bind(library, "nvmlEventSetFree", nvml.free);
}

class Session final : public CardEvents {
 public:
  Session(const Functions& nvml, nvmlEventSet_t set) : nvml_(nvml), set_(set) {}
  ~Session() override {
    nvml_.free(set_);
    nvml_.shutdown();
  }

  void WatchAll() {
    unsigned int count = 0;
    if (nvml_.count(&count) != NVML_SUCCESS) return;
    for (unsigned int index = 0; index < count; ++index) {
      nvmlDevice_t device = nullptr;
      if (nvml_.handle(index, &device) != NVML_SUCCESS) continue;
      // A lost card cannot say its name any more.
      if (const auto uuid = UuidOf(nvml_, device)) known_[device] = *uuid;
      if (nvml_.watch(device, nvmlEventTypeXidCriticalError, set_) == NVML_SUCCESS)
        is_watching_ = true;
    }
  }

  std::optional<CardFault> Wait(std::chrono::milliseconds patience) override {
    nvmlEventData_t event = {};
    const auto answer = is_watching_
                            ? nvml_.wait(set_, &event, static_cast<unsigned int>(patience.count()))
                            : NVML_ERROR_NOT_SUPPORTED;
    if (answer == NVML_SUCCESS) {
      if (event.eventType != nvmlEventTypeXidCriticalError) return std::nullopt;
      const auto card = known_.find(event.device);
      return CardFault{.card = card == known_.end() ? std::nullopt : std::optional(card->second),
                       .xid = event.eventData};
    }
    // An error comes at once, and would again.
    if (answer != NVML_ERROR_TIMEOUT) std::this_thread::sleep_for(patience);
    return std::nullopt;
  }

  bool DoesAnswer(const GpuUuid& card) override {
    nvmlDevice_t device = nullptr;
    nvmlMemory_t memory = {};
    return nvml_.handle_by_uuid(card.Text().c_str(), &device) == NVML_SUCCESS &&
           nvml_.memory(device, &memory) == NVML_SUCCESS;
  }

 private:
  const Functions nvml_;
  const nvmlEventSet_t set_;
  std::map<nvmlDevice_t, GpuUuid> known_;
  bool is_watching_ = false;
};

}  // namespace

Result<std::unique_ptr<CardEvents>> CardEvents::Open(const std::string& driver_folder) {
  const auto library = nvml::OpenLibrary(driver_folder);
  if (!library) return Fail(library.error());
  Functions nvml = {};
  if (!BindAll(*library, nvml))
    return Fail(Errc::kCorrupt,
                driver_folder + ": its NVML lacks events: install driver 450 or later");
  nvmlEventSet_t set = nullptr;
  if (nvml.init() != NVML_SUCCESS)
    return Fail(Errc::kUnavailable, "NVML does not start: run: warpshare doctor");
  if (nvml.create(&set) != NVML_SUCCESS) {
    nvml.shutdown();
    return Fail(Errc::kUnavailable, "NVML makes no set of events");
  }
  auto session = std::make_unique<Session>(nvml, set);
  session->WatchAll();
  return session;
}

}  // namespace warpshare::platform
