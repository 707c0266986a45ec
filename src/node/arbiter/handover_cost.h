// What a card loses when it goes from one tenant to another: a context is saved and another one
// loaded, and the next tenant has to wake up. Learned from turns, as no card says it: the time from
// the end of the work of the one before to the end of its own, less the GPU time that it used.
//
// Only turns tell in which others wanted the card all along and its tenant always had work in
// flight for a while to come: nothing else was lost in them. One that says it used less than it did
// makes turns longer, to the policies' bound (policy/share/turn_length.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace warpshare::node {

class HandoverCost {
 public:
  // A tenant gets the card. The one before is done with it at `card_free_ns`; so far this one has
  // used `used_ns`, and has nothing in flight.
  void Begin(uint64_t card_free_ns, uint64_t used_ns);

  // What it has in flight at a moment of its turn, and whether others want the card.
  void Watch(uint64_t in_flight_ns, bool others_want);

  // It may not go on, and will be done at `card_free_ns`; by then it will have used `used_ns`.
  void End(uint64_t card_free_ns, uint64_t used_ns);

  // Nothing can be told of this turn.
  void Spoil() { turn_.reset(); }

  // In the middle of the last turns; 0 until there were enough.
  uint64_t ns() const { return ns_; }

 private:
  static constexpr size_t kTurns = 31;

  struct Turn {
    uint64_t began_ns;
    uint64_t used_ns;
    bool had_work;
  };

  std::optional<Turn> turn_;
  std::array<int64_t, kTurns>
      lost_ns_{};       // in the last turns, the oldest of them overwritten first
  uint64_t turns_ = 0;  // that told something
  uint64_t ns_ = 0;
};

}  // namespace warpshare::node
