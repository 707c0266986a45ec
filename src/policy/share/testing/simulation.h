// One card, its tenants and an arbiter that does what Decide says, in simulated time: kernels run
// to their end, usage is known at a kernel's end, and giving the card to somebody takes its time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "policy/share/decide.h"

namespace warpshare::share {

inline constexpr uint64_t kUs = 1'000;
inline constexpr uint64_t kMs = 1'000'000;
inline constexpr uint64_t kSecond = 1'000'000'000;

// What a tenant's program does. As it stands: it launches kernels without end, far ahead.
struct Load {
  uint64_t kernel_ns = 200 * kUs;
  uint64_t from_ns = 0;        // its first work comes then
  uint64_t gap_ns = 0;         // waits for each kernel's end, and so long again before the next
  uint64_t burst_kernels = 0;  // so many at once ...
  uint64_t period_ns = 0;      // ... this often
  uint64_t in_flight_ns = 0;   // launched that far ahead, so this much runs after the turn is lost
  uint64_t slow_gap_ns = 0;    // in place of gap_ns in every other `slow_ns`; 0: never
  uint64_t slow_ns = 0;
};

struct Player {
  Terms terms;
  Load load;
};

class Simulation {
 public:
  // At each handover the card loses so long, and the arbiter knows it.
  explicit Simulation(const std::vector<Player>& players, uint64_t handover_ns = 30 * kUs);

  void RunUntil(uint64_t end_ns);

  // From now on.
  void Promise(size_t player, const Terms& terms) {
    actors_[player].tenant.terms = terms;
    Poke();
  }
  void Join(const Player& player);
  void Kill(size_t player);  // its kernel ends at once

  // GPU time of one or of all in [from, to), as the card saw it; whole milliseconds.
  uint64_t Used(size_t player, uint64_t from_ns, uint64_t to_ns) const;
  uint64_t Busy(uint64_t from_ns, uint64_t to_ns) const;
  double Share(size_t player, uint64_t from_ns, uint64_t to_ns) const;

  // The farthest that the player's part of any window lies from `share`, in points; windows begin
  // at every millisecond.
  double WorstError(size_t player, double share, uint64_t window_ns, uint64_t from_ns) const;

  // The same, but only how far above.
  double WorstExcess(size_t player, double share, uint64_t window_ns, uint64_t from_ns) const;

  // From the arrival of a burst to the end of its last kernel.
  const std::vector<uint64_t>& BurstTimes(size_t player) const {
    return actors_[player].burst_times;
  }

  uint64_t decisions() const { return decisions_; }

 private:
  struct Burst {
    uint64_t came_ns;
    uint64_t kernels;
  };
  struct Actor {
    Tenant tenant;
    Load load;
    bool lives = true;
    uint64_t next_work_ns = 0;    // kNever: does not come by itself
    std::deque<Burst> work = {};  // an endless load has one burst that never shrinks
    std::vector<uint64_t> burst_times = {};
    std::vector<uint64_t> used_by_ms = {};
  };

  // The smallest and the largest part of any window.
  std::pair<double, double> Extremes(size_t player, uint64_t window_ns, uint64_t from_ns) const;
  uint64_t NextEvent() const;
  void PassTimeUntil(uint64_t then_ns);
  bool BringWork(Actor& actor);  // false: it has some already
  bool FinishKernel();           // false: the next one does not follow at once
  void Arbitrate();
  void Obey(const Decision& decision);
  bool StartKernel();  // false: the turn or the work is over
  void Poke() { look_again_ns_ = now_ns_; }
  Actor& Holder();

  uint64_t handover_ns_;
  std::vector<Actor> actors_;
  Accounts accounts_;
  std::optional<Turn> turn_;
  uint64_t now_ns_ = 0;
  uint64_t look_again_ns_ = 0;
  uint64_t handover_until_ns_ = kNever;
  uint64_t kernel_end_ns_ = kNever;  // kNever: no kernel runs
  uint64_t drain_left_ns_ = 0;       // of what was launched ahead when the turn was lost
  bool drains_ = false;
  uint64_t decisions_ = 0;
};

}  // namespace warpshare::share
