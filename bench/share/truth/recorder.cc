#include "bench/share/truth/recorder.h"

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <set>

#include "simgpu/world/layout/world_file.h"
#include "simgpu/world/sync/clock.h"

namespace warpshare::bench {

namespace {

using simgpu::world::EngineKind;
using simgpu::world::Get;
using simgpu::world::Seat;

constexpr uint64_t kLookEveryNs = 5 * kMs;

}  // namespace

Recorder::Recorder(const std::string& directory) {
  std::string error;
  auto file = simgpu::world::WorldFile::Attach(directory, false, {}, &error);
  if (file == nullptr) {
    fprintf(stderr, "bench_share: %s\n", error.c_str());
    exit(1);
  }
  machine_ = std::make_unique<simgpu::world::Machine>(std::move(file));
  thread_ = std::thread([this] { Run(); });
}

Recorder::~Recorder() {
  ends_ = true;
  thread_.join();
}

void Recorder::Run() {
  simgpu::world::SleepPreciselyInThisThread();
  for (uint64_t due_ns = simgpu::world::NowNs(); !ends_; due_ns += kLookEveryNs) {
    simgpu::world::WaitUntil(due_ns);
    const uint64_t late_ns = simgpu::world::NowNs() - due_ns;
    worst_lateness_ns_ = std::max<uint64_t>(worst_lateness_ns_, late_ns);
    due_ns = std::max(due_ns, simgpu::world::NowNs() - kLookEveryNs);
    Look();
  }
}

void Recorder::Look() {
  const std::lock_guard lock(mutex_);
  const uint64_t now_ns = simgpu::world::NowNs();
  for (int card = 0; card < machine_->card_count(); ++card) {
    for (int engine = 0; engine < simgpu::world::kEngineKinds; ++engine)
      LookAt(card, static_cast<EngineKind>(engine), now_ns);
  }
  waits_.Look(SeenProcesses(), now_ns);
  last_look_ns_ = now_ns;
}

void Recorder::LookAt(int card, EngineKind engine, uint64_t now_ns) {
  const simgpu::world::SharedMap& map = machine_->map();
  simgpu::world::EngineState& state = map.engine(card, engine);
  const Seat* seats = map.seats(card, engine);
  const simgpu::world::Section section(state.guard);
  for (uint32_t slot = 0; slot < Get(state.seats_used); ++slot) {
    const simgpu::world::ProcessSlot& process = map.slot(slot);
    if (!simgpu::world::IsAlive(process)) continue;
    const Place place = {.card = card,
                         .engine = static_cast<uint32_t>(engine),
                         .slot = slot,
                         .generation = Get(process.generation)};
    Track& track = tracks_[place];
    track.process = static_cast<pid_t>(Get(process.pid));
    Fold(track, seats[slot], last_look_ns_ == 0 ? now_ns : last_look_ns_);
  }
}

// Replaces what was known of the seat's latest runs, which grow, by what is known now.
void Recorder::Fold(Track& track, const Seat& seat, uint64_t last_look_ns) {
  std::vector<BusyPiece> runs;
  for (uint64_t i = 1; i <= Seat::kRuns; ++i) {
    const simgpu::world::Run& run = seat.runs[(Get(seat.newest) + i) % Seat::kRuns];
    const uint64_t from = Get(run.start_ns);
    const uint64_t to = Get(run.end_ns);
    if (to > from) runs.push_back({.from_ns = from, .to_ns = to, .busy_ns = to - from});
  }
  if (runs.empty()) return;
  while (!track.pieces.empty() && track.pieces.back().from_ns >= runs.front().from_ns) {
    track.sum_ns -= track.pieces.back().busy_ns;
    track.pieces.pop_back();
  }
  const uint64_t gone_ns = Get(seat.busy_ns);
  if (gone_ns > track.sum_ns) {
    const uint64_t missed_ns = gone_ns - track.sum_ns;
    const uint64_t to = runs.front().from_ns;
    const uint64_t from = track.pieces.empty() ? last_look_ns : track.pieces.back().to_ns;
    track.pieces.push_back(
        {.from_ns = std::min(from, to - missed_ns), .to_ns = to, .busy_ns = missed_ns});
    track.sum_ns += missed_ns;
  }
  for (const BusyPiece& run : runs) {
    track.pieces.push_back(run);
    track.sum_ns += run.busy_ns;
  }
}

std::vector<pid_t> Recorder::Processes() const {
  const std::lock_guard lock(mutex_);
  return SeenProcesses();
}

BusySeries Recorder::Waits() const {
  const std::lock_guard lock(mutex_);
  return waits_.series();
}

std::vector<pid_t> Recorder::SeenProcesses() const {
  std::set<pid_t> processes;
  for (const auto& [place, track] : tracks_) processes.insert(track.process);
  return {processes.begin(), processes.end()};
}

BusySeries Recorder::Of(const std::vector<pid_t>& processes, int card) const {
  const std::lock_guard lock(mutex_);
  BusySeries series;
  for (const auto& [place, track] : tracks_) {
    if (place.card != card) continue;
    if (std::find(processes.begin(), processes.end(), track.process) == processes.end()) continue;
    series.Add(BusySeries(track.pieces));
  }
  return series;
}

}  // namespace warpshare::bench
