#include "simgpu/nvml/event/event_set.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace simgpu::nvml {
namespace {

// How long a wait sleeps before it looks whether its set was freed.
constexpr uint64_t kLookUpNs = 50'000'000;

struct Sets {
  std::mutex mutex;
  std::unordered_map<nvmlEventSet_t, std::shared_ptr<EventSet>> by_handle;
};

Sets& TheSets() {
  static Sets* const sets = new Sets;
  return *sets;
}

uint64_t NowNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::nanoseconds(now).count());
}

}  // namespace

void EventSet::Watch(const Card& card) {
  const uint64_t last = card.world->events().Last();
  const std::lock_guard lock(mutex_);
  if (!watched_from_[card.index]) watched_from_[card.index] = last;
}

std::optional<world::XidEvent> EventSet::Take(world::World& world) {
  const std::lock_guard lock(mutex_);
  while (true) {
    const std::optional<world::XidEvent> event = world.events().Next(seen_, 0);
    if (!event) return std::nullopt;
    seen_ = event->number;
    const std::optional<uint64_t>& from = watched_from_[event->card];
    if (from && event->number > *from) return event;
  }
}

std::optional<world::XidEvent> EventSet::Wait(world::World& world, uint64_t until_ns) {
  while (!closed_.load(std::memory_order_relaxed)) {
    if (const std::optional<world::XidEvent> event = Take(world)) return event;
    const uint64_t now_ns = NowNs();
    if (now_ns >= until_ns) return std::nullopt;
    uint64_t seen = 0;
    {
      const std::lock_guard lock(mutex_);
      seen = seen_;
    }
    // Only to sleep until something is there; Take decides what it is.
    static_cast<void>(world.events().Next(seen, std::min(until_ns, now_ns + kLookUpNs)));
  }
  return std::nullopt;
}

nvmlEventSet_t AddEventSet() {
  auto set = std::make_shared<EventSet>();
  const auto handle = reinterpret_cast<nvmlEventSet_t>(set.get());
  Sets& sets = TheSets();
  const std::lock_guard lock(sets.mutex);
  sets.by_handle[handle] = std::move(set);
  return handle;
}

std::shared_ptr<EventSet> FindEventSet(nvmlEventSet_t handle) {
  Sets& sets = TheSets();
  const std::lock_guard lock(sets.mutex);
  const auto found = sets.by_handle.find(handle);
  return found == sets.by_handle.end() ? nullptr : found->second;
}

bool RemoveEventSet(nvmlEventSet_t handle) {
  Sets& sets = TheSets();
  const std::lock_guard lock(sets.mutex);
  const auto found = sets.by_handle.find(handle);
  if (found == sets.by_handle.end()) return false;
  found->second->Close();
  sets.by_handle.erase(found);
  return true;
}

}  // namespace simgpu::nvml
