// Event sets. The only events are XID errors, those that the scenario schedules and injected ones.
#include <chrono>
#include <limits>

#include "simgpu/nvml/event/api.h"
#include "simgpu/nvml/event/event_set.h"
#include "simgpu/nvml/session/answer.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::EventSet;
using simgpu::nvml::FindEventSet;
using simgpu::nvml::HandleOf;
using simgpu::nvml::Ready;
using simgpu::nvml::Tell;
using simgpu::world::World;
using simgpu::world::XidEvent;

namespace {

constexpr unsigned kNoInstance = 0xFFFF'FFFF;  // what the instance ids are without MIG

uint64_t DeadlineNs(unsigned timeout_ms) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::nanoseconds(now).count()) +
         uint64_t{timeout_ms} * 1'000'000;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long* types) {
  return Tell(device, types, [](const Card&) { return nvmlEventTypeXidCriticalError; });
}

nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t* set) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  SIMGPU_REQUIRE(set != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  *set = simgpu::nvml::AddEventSet();
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t set) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  return simgpu::nvml::RemoveEventSet(set) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

// Types that never occur are refused, as the real driver refuses what a card cannot report.
nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types,
                                      nvmlEventSet_t set) {
  constexpr unsigned long long kKnown = nvmlEventTypeXidCriticalError;
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  const std::shared_ptr<EventSet> found = FindEventSet(set);
  SIMGPU_REQUIRE(found != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  SIMGPU_REQUIRE((types & ~kKnown) == 0, NVML_ERROR_NOT_SUPPORTED);
  if (types != nvmlEventTypeNone) found->Watch(card);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t* data, unsigned timeout_ms) {
  const uint64_t until_ns = DeadlineNs(timeout_ms);
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  const std::shared_ptr<EventSet> found = FindEventSet(set);
  SIMGPU_REQUIRE(found != nullptr && data != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  const std::optional<XidEvent> event = found->Wait(*world, until_ns);
  SIMGPU_REQUIRE(event, NVML_ERROR_TIMEOUT);
  *data = {.device = HandleOf(event->card),
           .eventType = nvmlEventTypeXidCriticalError,
           .eventData = event->xid,
           .gpuInstanceId = kNoInstance,
           .computeInstanceId = kNoInstance};
  return NVML_SUCCESS;
}

// The older struct ends before the instance ids.
nvmlReturn_t nvmlEventSetWait(nvmlEventSet_t set, nvmlEventData_t* data, unsigned timeout_ms) {
  nvmlEventData_t whole{};
  SIMGPU_TRY(nvmlEventSetWait_v2(set, data == nullptr ? nullptr : &whole, timeout_ms));
  std::memcpy(data, &whole, offsetof(nvmlEventData_t, gpuInstanceId));
  return NVML_SUCCESS;
}
