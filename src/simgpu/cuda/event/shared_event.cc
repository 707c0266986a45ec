#include "simgpu/cuda/event/shared_event.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "simgpu/world/sync/clock.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {

// All zero in a fresh extent. `serial` is written by the process that made the event, the rest by
// whoever records it.
struct SharedEventState {
  std::atomic<uint64_t> serial;  // 0: no event
  std::atomic<uint64_t> recorded;
  std::atomic<uint64_t> reached;
  std::atomic<uint32_t> recorder_slot;
  std::atomic<uint32_t> recorder_generation;
  uint64_t reserved[4];
};
static_assert(sizeof(SharedEventState) == 64);

namespace {

constexpr uint64_t kMagic = 0x746e657665676d69;  // "imgevent"
constexpr uint32_t kPerExtent = world::kBlockBytes / sizeof(SharedEventState);
constexpr uint64_t kLookNs = 50'000'000;

world::Memory& WorldMemory() { return world::World::Instance().memory(); }

SharedEventState* StateIn(const world::Extent& extent, uint32_t index) {
  return static_cast<SharedEventState*>(extent.address) + index;
}

// Slots for the events that this process makes. Never given up: events are small.
class EventSlots {
 public:
  static EventSlots& Instance() {
    static auto* const slots = new EventSlots;
    return *slots;
  }

  std::optional<SharedEventName> Take(int card) {
    const std::lock_guard lock(mutex_);
    if (!extent_)
      extent_ =
          WorldMemory().AllocateExtent(card, world::kBlockBytes, world::MemoryKind::kUncharged);
    if (!extent_ || (free_.empty() && next_ == kPerExtent)) return std::nullopt;
    SharedEventName name;
    name.magic = kMagic;
    name.extent = WorldMemory().NameOf(*extent_);
    name.index = free_.empty() ? next_++ : free_.back();
    if (!free_.empty()) free_.pop_back();
    name.serial = ++serial_;
    SharedEventState& state = *StateIn(*extent_, name.index);
    state.recorded = 0;
    state.reached = 0;
    state.serial.store(name.serial, std::memory_order_release);  // pairs with Open
    return name;
  }

  SharedEventState* State(const SharedEventName& name) { return StateIn(*extent_, name.index); }

  void GiveBack(uint32_t index) {
    const std::lock_guard lock(mutex_);
    StateIn(*extent_, index)->serial.store(0, std::memory_order_release);
    free_.push_back(index);
  }

 private:
  std::mutex mutex_;
  std::optional<world::Extent> extent_;
  std::vector<uint32_t> free_;
  uint32_t next_ = 0;
  uint64_t serial_ = 0;
};

bool Lives(world::ProcessKey key) {
  const std::vector<world::ProcessUse> processes = world::World::Instance().Processes();
  return std::any_of(processes.begin(), processes.end(),
                     [key](const world::ProcessUse& process) { return process.key == key; });
}

}  // namespace

CUresult SharedEvent::Create(int card, std::shared_ptr<SharedEvent>* event) {
  const std::optional<SharedEventName> name = EventSlots::Instance().Take(card);
  SIMGPU_REQUIRE(name.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
  event->reset(new SharedEvent(*name, EventSlots::Instance().State(*name)));
  (*event)->ours_ = true;
  return CUDA_SUCCESS;
}

CUresult SharedEvent::Open(const SharedEventName& name, std::shared_ptr<SharedEvent>* event) {
  SIMGPU_REQUIRE(name.magic == kMagic && name.index < kPerExtent, CUDA_ERROR_INVALID_HANDLE);
  const std::optional<world::Extent> extent = WorldMemory().Hold(name.extent);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_INVALID_HANDLE);
  SharedEventState* const state = StateIn(*extent, name.index);
  if (state->serial.load(std::memory_order_acquire) != name.serial) {
    WorldMemory().Release(*extent);
    return CUDA_ERROR_INVALID_HANDLE;
  }
  event->reset(new SharedEvent(name, state));
  (*event)->held_ = *extent;
  return CUDA_SUCCESS;
}

SharedEvent::~SharedEvent() {
  if (ours_) {
    EventSlots::Instance().GiveBack(name_.index);
  } else {
    WorldMemory().Release(held_);
  }
}

uint64_t SharedEvent::Begin() {
  const world::ProcessKey self = world::World::Instance().self();
  state_->recorder_slot.store(self.slot, std::memory_order_relaxed);
  state_->recorder_generation.store(self.generation, std::memory_order_relaxed);
  return state_->recorded.fetch_add(1, std::memory_order_acq_rel) + 1;
}

void SharedEvent::Reach(uint64_t record) {
  uint64_t reached = state_->reached.load(std::memory_order_relaxed);
  while (reached < record &&
         !state_->reached.compare_exchange_weak(reached, record, std::memory_order_acq_rel)) {
  }
}

uint64_t SharedEvent::Latest() const { return state_->recorded.load(std::memory_order_acquire); }

bool SharedEvent::Done(uint64_t record) const {
  return state_->reached.load(std::memory_order_acquire) >= record;
}

bool SharedEvent::DoneOrOrphaned(uint64_t record) {
  if (Done(record)) return true;
  const uint64_t now_ns = world::NowNs();
  if (now_ns < next_look_ns_) return false;
  next_look_ns_ = now_ns + kLookNs;
  const world::ProcessKey recorder = {state_->recorder_slot.load(std::memory_order_relaxed),
                                      state_->recorder_generation.load(std::memory_order_relaxed)};
  return !Lives(recorder);
}

}  // namespace simgpu::cuda
