#include "policy/share/testing/simulation.h"

#include <algorithm>

namespace warpshare::share {

namespace {

constexpr uint64_t kEndless = UINT64_MAX;

uint64_t GapOf(const Load& load, uint64_t now_ns) {
  const bool is_slow = load.slow_ns != 0 && now_ns / load.slow_ns % 2 == 1;
  return is_slow ? load.slow_gap_ns : load.gap_ns;
}

void AddByMs(std::vector<uint64_t>& by_ms, uint64_t from_ns, uint64_t to_ns) {
  by_ms.resize(std::max<size_t>(by_ms.size(), to_ns / kMs + 1));
  while (from_ns < to_ns) {
    const uint64_t until_ns = std::min(to_ns, (from_ns / kMs + 1) * kMs);
    by_ms[from_ns / kMs] += until_ns - from_ns;
    from_ns = until_ns;
  }
}

}  // namespace

Simulation::Simulation(const std::vector<Player>& players, uint64_t handover_ns)
    : handover_ns_(handover_ns) {
  for (const Player& player : players) Join(player);
}

void Simulation::Join(const Player& player) {
  Actor actor{.tenant = {.id = actors_.size() + 1,
                         .terms = player.terms,
                         .wants = false,
                         .since_ns = now_ns_,
                         .used_ns = 0},
              .load = player.load,
              .next_work_ns = std::max(now_ns_, player.load.from_ns)};
  actors_.push_back(actor);
  Poke();
}

void Simulation::Kill(size_t player) {
  Actor& actor = actors_[player];
  actor.lives = false;
  actor.next_work_ns = kNever;
  if (turn_ && turn_->tenant == actor.tenant.id) {
    turn_.reset();
    kernel_end_ns_ = kNever;
    drains_ = false;
  }
  Poke();
}

void Simulation::RunUntil(uint64_t end_ns) {
  while (now_ns_ < end_ns) {
    PassTimeUntil(std::min(end_ns, NextEvent()));
    bool must_decide = false;
    if (kernel_end_ns_ <= now_ns_) must_decide |= !FinishKernel();
    for (Actor& actor : actors_)
      if (actor.next_work_ns <= now_ns_) must_decide |= BringWork(actor);
    if (handover_until_ns_ <= now_ns_) {
      handover_until_ns_ = kNever;
      StartKernel();
    }
    if ((must_decide || look_again_ns_ <= now_ns_) && !drains_) Arbitrate();
  }
}

uint64_t Simulation::NextEvent() const {
  uint64_t next_ns = std::min(kernel_end_ns_, handover_until_ns_);
  if (!drains_) next_ns = std::min(next_ns, look_again_ns_);
  for (const Actor& actor : actors_) next_ns = std::min(next_ns, actor.next_work_ns);
  return std::max(next_ns, now_ns_);
}

void Simulation::PassTimeUntil(uint64_t then_ns) {
  if (kernel_end_ns_ != kNever) AddByMs(Holder().used_by_ms, now_ns_, then_ns);
  now_ns_ = then_ns;
}

bool Simulation::BringWork(Actor& actor) {
  const Load& load = actor.load;
  uint64_t kernels = kEndless;
  if (load.gap_ns != 0) kernels = 1;
  if (load.burst_kernels != 0) kernels = load.burst_kernels;
  actor.next_work_ns = load.burst_kernels != 0 ? now_ns_ + load.period_ns : kNever;
  actor.work.push_back({now_ns_, kernels});
  if (actor.tenant.wants) return false;
  actor.tenant.wants = true;
  actor.tenant.since_ns = now_ns_;
  return true;
}

// Goes on with the next one if the turn and the work allow it.
bool Simulation::FinishKernel() {
  Actor& actor = Holder();
  kernel_end_ns_ = kNever;
  actor.tenant.used_ns += actor.load.kernel_ns;
  Burst& burst = actor.work.front();
  if (burst.kernels != kEndless && --burst.kernels == 0) {
    actor.burst_times.push_back(now_ns_ - burst.came_ns);
    actor.work.pop_front();
  }
  if (actor.work.empty()) {
    actor.tenant.wants = false;
    actor.tenant.since_ns = now_ns_;
    if (actor.load.gap_ns != 0) actor.next_work_ns = now_ns_ + GapOf(actor.load, now_ns_);
  }
  if (drains_) {
    drains_ = actor.tenant.wants && drain_left_ns_ >= actor.load.kernel_ns;
    drain_left_ns_ -= drains_ ? actor.load.kernel_ns : 0;
    if (!drains_) return false;
  }
  return StartKernel();
}

bool Simulation::StartKernel() {
  Actor& actor = Holder();
  const bool may = drains_ || actor.tenant.used_ns < turn_->begun_used_ns + turn_->quantum_ns;
  if (!may || !actor.tenant.wants) return false;
  kernel_end_ns_ = now_ns_ + actor.load.kernel_ns;
  return true;
}

void Simulation::Arbitrate() {
  std::vector<Tenant> tenants;
  for (const Actor& actor : actors_)
    if (actor.lives) tenants.push_back(actor.tenant);
  const Snapshot snapshot{
      .now_ns = now_ns_, .turn = turn_, .tenants = tenants, .handover_ns = handover_ns_};
  Advance(accounts_, snapshot);
  Obey(Decide(snapshot, accounts_));
  ++decisions_;
}

void Simulation::Obey(const Decision& decision) {
  look_again_ns_ = std::max(decision.look_again_ns, now_ns_ + 1);
  const bool same = turn_ && decision.turn && turn_->tenant == decision.turn->tenant;
  if (!same && kernel_end_ns_ != kNever) {
    drains_ = true;
    drain_left_ns_ = Holder().load.in_flight_ns;
    return;
  }
  turn_ = decision.turn;
  if (!same) handover_until_ns_ = turn_ ? now_ns_ + handover_ns_ : kNever;
  if (same && kernel_end_ns_ == kNever && handover_until_ns_ == kNever) StartKernel();
}

Simulation::Actor& Simulation::Holder() { return actors_[turn_->tenant - 1]; }

uint64_t Simulation::Used(size_t player, uint64_t from_ns, uint64_t to_ns) const {
  const std::vector<uint64_t>& by_ms = actors_[player].used_by_ms;
  uint64_t sum = 0;
  for (size_t ms = from_ns / kMs; ms < std::min<size_t>(to_ns / kMs, by_ms.size()); ++ms)
    sum += by_ms[ms];
  return sum;
}

uint64_t Simulation::Busy(uint64_t from_ns, uint64_t to_ns) const {
  uint64_t sum = 0;
  for (size_t player = 0; player < actors_.size(); ++player) sum += Used(player, from_ns, to_ns);
  return sum;
}

double Simulation::Share(size_t player, uint64_t from_ns, uint64_t to_ns) const {
  return static_cast<double>(Used(player, from_ns, to_ns)) / static_cast<double>(to_ns - from_ns);
}

double Simulation::WorstError(size_t player, double share, uint64_t window_ns,
                              uint64_t from_ns) const {
  const auto [least, most] = Extremes(player, window_ns, from_ns);
  return 100 * std::max(share - least, most - share);
}

double Simulation::WorstExcess(size_t player, double share, uint64_t window_ns,
                               uint64_t from_ns) const {
  return 100 * (Extremes(player, window_ns, from_ns).second - share);
}

std::pair<double, double> Simulation::Extremes(size_t player, uint64_t window_ns,
                                               uint64_t from_ns) const {
  uint64_t used = Used(player, from_ns, from_ns + window_ns);
  uint64_t least = used;
  uint64_t most = used;
  for (uint64_t at_ns = from_ns; at_ns + window_ns < now_ns_; at_ns += kMs) {
    used += Used(player, at_ns + window_ns, at_ns + window_ns + kMs);
    used -= Used(player, at_ns, at_ns + kMs);
    least = std::min(least, used);
    most = std::max(most, used);
  }
  const auto window = static_cast<double>(window_ns);
  return {static_cast<double>(least) / window, static_cast<double>(most) / window};
}

}  // namespace warpshare::share
