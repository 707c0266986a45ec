#include "simgpu/world/engine.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "simgpu/world/engine/busy.h"
#include "simgpu/world/engine/timeline.h"
#include "simgpu/world/machine.h"
#include "simgpu/world/sync/futex.h"

namespace simgpu::world {
namespace {

// A longer sleep could miss that the owner died: nobody posts then.
constexpr uint64_t kLongestSleepNs = 5'000'000;
constexpr uint64_t kLongestWorkNs = 1'000'000'000'000'000;  // keeps sums in range

uint64_t TransferNs(uint64_t bytes, uint64_t bytes_per_second) {
  const auto ns = static_cast<unsigned __int128>(bytes) * 1'000'000'000 / bytes_per_second;
  return static_cast<uint64_t>(std::min<unsigned __int128>(ns, kLongestWorkNs));
}

}  // namespace

struct Engine::State {
  struct Local {  // of one engine
    std::mutex reserving;
    std::atomic<uint32_t> wake_seen{0};  // our seat's futex when the last Try was answered
  };

  explicit State(Machine& machine)
      : machine(machine),
        is_alive([&machine](uint32_t slot) { return IsAlive(machine.map().slot(slot)); }),
        locals(machine.card_count()) {}

  Local& local(int card, EngineKind kind) { return locals[card][static_cast<uint32_t>(kind)]; }
  Seat& seat(int card, EngineKind kind, uint32_t slot) {
    return machine.map().seats(card, kind)[slot];
  }

  // Runs `action` on the engine's timeline under its lock, and does what it leaves to be done
  // after.
  template <typename Action>  // void(Timeline&, Seat& own)
  void OnTimeline(int card, EngineKind kind, Action action);

  Machine& machine;
  const Timeline::IsAliveFn is_alive;
  std::vector<std::array<Local, kEngineKinds>> locals;
};

template <typename Action>
void Engine::State::OnTimeline(int card, EngineKind kind, Action action) {
  EngineState& state = machine.map().engine(card, kind);
  Seat* seats = machine.map().seats(card, kind);
  const CardSpec& spec = machine.scenario().cards[card];
  const TurnRules rules =
      TurnRules::For(spec.slice_ns, kind == EngineKind::kCompute ? spec.switch_ns : 0);
  std::vector<uint32_t> to_wake;
  bool met_dead = false;
  {
    const Section section(state.guard);
    Timeline timeline({state, seats, rules}, is_alive, NowNs());
    action(timeline, seats[machine.self().slot()]);
    to_wake = timeline.to_wake();
    met_dead = timeline.met_dead();
  }
  for (const uint32_t slot : to_wake) FutexPost(seats[slot].wake);
  if (met_dead) machine.Reap();
}

Engine::Engine(Machine& machine) : state_(std::make_unique<State>(machine)) {}
Engine::~Engine() = default;

Attempt Engine::Try(const Work& work) {
  Work bounded = work;
  bounded.duration_ns = std::min(work.duration_ns, kLongestWorkNs);
  // Nothing to run, or nowhere to be counted (the table of processes is full): takes its time, but
  // nobody's turn.
  if (bounded.duration_ns == 0 || !state_->machine.Join()) {
    return {Interval{work.ready_ns, work.ready_ns + bounded.duration_ns}, 0};
  }
  Attempt attempt;
  State::Local& local = state_->local(work.card, work.engine);
  state_->OnTimeline(work.card, work.engine, [&](Timeline& timeline, Seat& own) {
    attempt = timeline.Try(state_->machine.self().slot(), bounded);
    local.wake_seen.store(own.wake.load(std::memory_order_relaxed), std::memory_order_relaxed);
  });
  return attempt;
}

void Engine::WaitTurn(int card, EngineKind engine, uint64_t until_ns) {
  if (!state_->machine.self().joined()) return;
  Seat& seat = state_->seat(card, engine, state_->machine.self().slot());
  const uint32_t seen = state_->local(card, engine).wake_seen.load(std::memory_order_relaxed);
  FutexWait(seat.wake, seen, std::min(until_ns, NowNs() + kLongestSleepNs));
}

Interval Engine::Reserve(const Work& work) {
  const std::lock_guard lock(state_->local(work.card, work.engine).reserving);
  while (true) {
    const Attempt attempt = Try(work);
    if (attempt.interval) return *attempt.interval;
    WaitTurn(work.card, work.engine, attempt.retry_ns);
  }
}

void Engine::Withdraw(int card, EngineKind engine) {
  if (!state_->machine.self().joined()) return;
  state_->OnTimeline(card, engine, [&](Timeline& timeline, Seat&) {
    timeline.Withdraw(state_->machine.self().slot());
  });
}

void Engine::Idle(int card, EngineKind engine) {
  if (!state_->machine.self().joined()) return;
  state_->OnTimeline(card, engine, [&](Timeline& timeline, Seat&) {
    timeline.Idle(state_->machine.self().slot());
  });
}

uint64_t Engine::CopyNs(int card, EngineKind engine, uint64_t bytes) const {
  const CardSpec& spec = state_->machine.scenario().cards[card];
  const uint64_t rate = engine == EngineKind::kCopyIn    ? spec.host_to_device_bps
                        : engine == EngineKind::kCopyOut ? spec.device_to_host_bps
                                                         : spec.device_to_device_bps;
  return spec.copy_latency_ns + TransferNs(bytes, rate);
}

uint64_t Engine::PeerCopyNs(int from, int to, uint64_t bytes) const {
  if (from == to) return CopyNs(from, EngineKind::kCopyWithin, bytes);
  const Scenario& scenario = state_->machine.scenario();
  const CardSpec& spec = scenario.cards[from];
  const Link link = scenario.LinkBetween(from, to);
  const uint64_t rate = link.kind == LinkKind::kNvlink ? link.lanes * kNvlinkBps : spec.peer_bps;
  return spec.copy_latency_ns + TransferNs(bytes, rate);
}

Interval Engine::ReserveCopy(int card, EngineKind engine, uint64_t bytes, uint64_t ready_ns) {
  return Reserve({.card = card,
                  .engine = engine,
                  .duration_ns = CopyNs(card, engine, bytes),
                  .ready_ns = ready_ns});
}

uint64_t Engine::BusyNs(int card, EngineKind engine, ProcessKey process) {
  if (process.slot >= kMaxProcesses) return 0;
  const Section section(state_->machine.map().engine(card, engine).guard);
  const ProcessSlot& slot = state_->machine.map().slot(process.slot);
  if (Get(slot.generation) != process.generation) return 0;
  return BusyUpTo(state_->seat(card, engine, process.slot), NowNs());
}

uint64_t Engine::CardBusyNs(int card, EngineKind engine) {
  EngineState& state = state_->machine.map().engine(card, engine);
  const Section section(state.guard);
  const uint64_t now_ns = NowNs();
  uint64_t busy = Get(state.retired_ns);
  for (uint32_t slot = 0; slot < Get(state.seats_used); ++slot) {
    busy += BusyUpTo(state_->seat(card, engine, slot), now_ns);
  }
  return busy;
}

double Engine::Utilization(int card, EngineKind engine, uint64_t window_ns) {
  const EngineState& state = state_->machine.map().engine(card, engine);
  return static_cast<double>(BusyWithin(state.history, NowNs(), window_ns)) /
         static_cast<double>(window_ns);
}

double Engine::UtilizationOf(int card, EngineKind engine, uint64_t window_ns, ProcessKey process) {
  if (process.slot >= kMaxProcesses) return 0;
  if (Get(state_->machine.map().slot(process.slot).generation) != process.generation) return 0;
  const Seat& seat = state_->seat(card, engine, process.slot);
  return static_cast<double>(BusyWithin(seat.history, NowNs(), window_ns)) /
         static_cast<double>(window_ns);
}

}  // namespace simgpu::world
