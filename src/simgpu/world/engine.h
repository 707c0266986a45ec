// The engines of the cards, in real time. Each engine of each card has one timeline on
// CLOCK_MONOTONIC; Reserve appends an interval to it. Work runs in the order of reservation, one
// piece at a time, never interrupted.
//
// Turns: while several processes have work, they own the engine in turn (round robin) for one slice
// (CardSpec::slice_ns) each; a turn ends with the piece of work that reaches the slice's end, or
// when its owner has nothing more to run. A process that is alone keeps the engine. The owner may
// reserve ahead inside its slice; beyond, Reserve blocks until shortly before the time comes.
//
// Exactness: an interval starts at max(ready_ns, end of the interval before), later by
// CardSpec::switch_ns where the compute engine goes to another process, never at "now": a
// process that wakes late gets the time it would have had, so lateness of waits never adds up, and
// busy time is the sum of the intervals. An interval can therefore lie in the past; it never starts
// before its work was ready.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "simgpu/world/engine_kind.h"
#include "simgpu/world/process.h"
#include "simgpu/world/sync/clock.h"

namespace simgpu::world {

class Machine;  // inside the room

struct Interval {
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
};

struct Work {
  int card = 0;
  EngineKind engine = EngineKind::kCompute;
  uint64_t duration_ns = 0;
  uint64_t ready_ns = 0;  // when it was submitted, or its last dependency ended, whichever is later
  bool more_follows = false;  // further work is ready behind it: the turn is kept for it, should
                              // this process be slow
};

struct Attempt {
  std::optional<Interval> interval;
  uint64_t retry_ns = 0;  // where there is none: try again then at the latest
};

class Engine {
 public:
  explicit Engine(Machine& machine);
  ~Engine();

  // Blocks until the work has its place. Threads of one process take their place one after another.
  Interval Reserve(const Work& work);

  // As Reserve, without blocking: with no interval the request stands (the place is being waited
  // for) and is answered by a later Try with the same work, or taken back by Withdraw (if it was
  // answered meanwhile, that time is spent). One request per process and engine at a time. WaitTurn
  // sleeps until `until_ns` or until the request may have been answered.
  Attempt Try(const Work& work);
  void WaitTurn(int card, EngineKind engine, uint64_t until_ns);
  void Withdraw(int card, EngineKind engine);

  // Says that no work follows: those who wait need not find out.
  void Idle(int card, EngineKind engine);

  // How long a copy lasts by the scenario's bandwidths. A long copy keeps its engine to its end:
  // cut it into pieces of some MiB where others should get between.
  uint64_t CopyNs(int card, EngineKind engine, uint64_t bytes) const;
  uint64_t PeerCopyNs(int from, int to, uint64_t bytes) const;
  Interval ReserveCopy(int card, EngineKind engine, uint64_t bytes, uint64_t ready_ns);

  // Engine time up to now: of one process (0 once it is reaped), and of all there ever were.
  uint64_t BusyNs(int card, EngineKind engine, ProcessKey process);
  uint64_t CardBusyNs(int card, EngineKind engine);

  // Share of the last `window_ns` (at most 1.5 s) in which the engine was busy, 0 to 1: all
  // processes, or one.
  double Utilization(int card, EngineKind engine, uint64_t window_ns);
  double UtilizationOf(int card, EngineKind engine, uint64_t window_ns, ProcessKey process);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simgpu::world
