#include "simgpu/world/events.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "simgpu/world/machine.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/sync/futex.h"

namespace simgpu::world {
namespace {

// An injector can die between its event and the post.
constexpr uint64_t kLongestSleepNs = 100'000'000;

}  // namespace

struct Events::State {
  explicit State(Machine& machine) : machine(machine), queue(machine.map().events()) {
    const uint64_t created_ns = machine.map().header().created_ns;
    for (int card = 0; card < machine.card_count(); ++card) {
      for (const ScheduledXid& fault : machine.scenario().cards[card].xids) {
        scheduled.push_back({0, card, fault.xid, created_ns + fault.after_ns});
      }
    }
    std::ranges::sort(scheduled, {}, [](const XidEvent& event) {
      return std::tuple(event.at_ns, event.card, event.xid);  // in all processes the same
    });
  }

  // Under the queue's lock.
  void Put(const XidEvent& event, uint64_t scheduled_done) {
    const uint64_t count = Get(queue.count);
    EventRecord& record = queue.events[count % EventQueue::kCapacity];
    Transaction change(queue.guard.journal);
    change.Set(record.card, static_cast<uint64_t>(event.card));
    change.Set(record.xid, event.xid);
    change.Set(record.at_ns, event.at_ns);
    change.Set(queue.count, count + 1);
    change.Set(queue.scheduled_done, scheduled_done);
    change.Commit();
  }

  // Puts in what the schedule has due, whoever comes by first; answers when the next is.
  uint64_t PutDue() {
    const uint64_t now_ns = NowNs();
    for (uint64_t i = Get(queue.scheduled_done); i < scheduled.size(); ++i) {
      if (scheduled[i].at_ns > now_ns) return scheduled[i].at_ns;
      Put(scheduled[i], i + 1);
    }
    return UINT64_MAX;
  }

  XidEvent Read(uint64_t number) const {
    const EventRecord& record = queue.events[(number - 1) % EventQueue::kCapacity];
    return {number, static_cast<int>(Get(record.card)), static_cast<uint32_t>(Get(record.xid)),
            Get(record.at_ns)};
  }

  Machine& machine;
  EventQueue& queue;
  std::vector<XidEvent> scheduled;  // in the order of their times; not numbered
};

Events::Events(Machine& machine) : state_(std::make_unique<State>(machine)) {}
Events::~Events() = default;

void Events::Inject(int card, uint32_t xid) {
  EventQueue& queue = state_->queue;
  {
    const Section section(queue.guard);
    state_->PutDue();
    state_->Put({0, card, xid, NowNs()}, Get(queue.scheduled_done));
  }
  FutexPost(queue.posted);
}

uint64_t Events::Last() {
  const Section section(state_->queue.guard);
  state_->PutDue();
  return Get(state_->queue.count);
}

std::optional<XidEvent> Events::Next(uint64_t number, uint64_t until_ns) {
  EventQueue& queue = state_->queue;
  while (true) {
    uint32_t posted = 0;
    uint64_t next_due_ns = 0;
    {
      const Section section(queue.guard);
      posted = queue.posted.load(std::memory_order_relaxed);
      next_due_ns = state_->PutDue();
      const uint64_t count = Get(queue.count);
      const uint64_t oldest = count > EventQueue::kCapacity ? count - EventQueue::kCapacity + 1 : 1;
      if (count > number) return state_->Read(std::max(number + 1, oldest));
    }
    const uint64_t now_ns = NowNs();
    if (now_ns >= until_ns) return std::nullopt;
    FutexWait(queue.posted, posted, std::min({until_ns, next_due_ns, now_ns + kLongestSleepNs}));
  }
}

}  // namespace simgpu::world
