#include "platform/nvml/card_events.h"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "platform/nvml/nvml_library.h"
#include "platform/nvml/question.h"

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

  std::optional<CardFault> Wait(std::chrono::milliseconds patience) override {
    nvmlEventData_t event = {};
    const auto answer = is_watching_
                            ? nvml_.wait(set_, &event, static_cast<unsigned int>(patience.count()))
                            : NVML_ERROR_NOT_SUPPORTED;
    if (answer == NVML_SUCCESS) {
      if (event.eventType != nvmlEventTypeXidCriticalError) return std::nullopt;
      return CardFault{.card = CardOf(event.device), .xid = event.eventData};
    }
    // An error comes at once, and would again.
    if (answer != NVML_ERROR_TIMEOUT) std::this_thread::sleep_for(patience);
    return std::nullopt;
  }

  std::optional<Bytes> Ask(const Card& card) override {
    nvmlMemory_t memory = {};
    const auto device = Find(card);
    if (!device) return std::nullopt;
    Watch(*device, card.uuid);
    if (nvml_.memory(*device, &memory) != NVML_SUCCESS) return std::nullopt;
    return Bytes(memory.used);
  }

 private:
  // By its place first: who looks for a uuid asks the cards before it, which may hang.
  std::optional<nvmlDevice_t> Find(const Card& card) const {
    nvmlDevice_t device = nullptr;
    if (nvml_.handle(card.index, &device) == NVML_SUCCESS && UuidOf(nvml_, device) == card.uuid)
      return device;
    if (nvml_.handle_by_uuid(card.uuid.Text().c_str(), &device) == NVML_SUCCESS) return device;
    return std::nullopt;
  }

  // Where a card cannot report faults, it is left at that.
  void Watch(nvmlDevice_t device, const GpuUuid& card) {
    if (CardOf(device) == card) return;
    const auto answer = nvml_.watch(device, nvmlEventTypeXidCriticalError, set_);
    if (answer == NVML_SUCCESS) is_watching_ = true;
    if (answer != NVML_SUCCESS && answer != NVML_ERROR_NOT_SUPPORTED) return;
    const std::scoped_lock held(mutex_);
    known_[device] = card;
  }

  std::optional<GpuUuid> CardOf(nvmlDevice_t device) const {
    const std::scoped_lock held(mutex_);
    const auto card = known_.find(device);
    if (card == known_.end()) return std::nullopt;
    return card->second;
  }

  const Functions nvml_;
  const nvmlEventSet_t set_;
  std::atomic<bool> is_watching_ = false;
  mutable std::mutex mutex_;
  std::map<nvmlDevice_t, GpuUuid> known_;  // those that were asked to report their faults
};

Result<std::unique_ptr<CardEvents>> OpenDriver(const std::string& driver_folder) {
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
  return std::make_unique<Session>(nvml, set);
}

}  // namespace

Result<std::unique_ptr<CardEvents>> CardEvents::Open(const std::string& driver_folder) {
  return AskOnItsOwn([&] { return OpenDriver(driver_folder); });
}

}  // namespace warpshare::platform
