// Which part of a process's GPU time has been compared with what was charged for it: all until a
// moment of the card's and the ticket that was reached by then (card_queue.h).
//
// Laps of several streams overlap, and what one stream was given runs while another's lap lasts. So
// a lap that begins before that moment is not compared with its own charges but with all that was
// charged since that ticket: whatever a lap has too much, the next one has too little, and over
// many both sums are the whole time and all charges.
//
// Pure arithmetic; times are of any clock that the caller keeps to. Zero is valid: nothing yet.
#pragma once

#include <cstdint>

namespace warpshare::interposer {

class Covered {
 public:
  struct Lap {
    int64_t begin_ns;
    int64_t end_ns;
    uint64_t ticket;            // at its end
    uint64_t charged_ns;        // between its ends, with other streams
    uint64_t uncounted_ns = 0;  // of that, what no ticket counts
    uint64_t beside_ns = 0;     // ... what went to other streams meanwhile: perhaps done later
  };
  // What of a lap is new, and what was charged for that. `joins`: it goes on where the others end.
  struct Stretch {
    uint64_t ns;
    uint64_t charged_ns;
    bool joins;
  };

  Stretch Add(const Lap& lap) {
    const bool joins = is_begun_ && lap.begin_ns <= end_ns_ + kSlackNs;
    if (joins && lap.end_ns <= end_ns_) return {.ns = 0, .charged_ns = 0, .joins = true};
    const int64_t from_ns = joins ? end_ns_ : lap.begin_ns;
    const auto ns = static_cast<uint64_t>(lap.end_ns - from_ns);
    const uint64_t since = lap.ticket > ticket_ ? lap.ticket - ticket_ : 0;
    const uint64_t all_ns = joins ? since + lap.uncounted_ns : lap.charged_ns;
    const uint64_t left_ns = LeftNs(lap, all_ns, ns);
    is_begun_ = true;
    end_ns_ = lap.end_ns;
    if (lap.ticket > ticket_ + left_ns) ticket_ = lap.ticket - left_ns;
    return {.ns = ns, .charged_ns = all_ns - left_ns, .joins = joins};
  }

  // The clock's zero is later by so much.
  void MoveZero(int64_t ns) { end_ns_ -= ns; }

 private:
  // A lap begins where the one before ends, but for how finely events tell the time.
  static constexpr int64_t kSlackNs = 1'000;

  // Of what may be done later, what there was no time for.
  static uint64_t LeftNs(const Lap& lap, uint64_t all_ns, uint64_t ns) {
    if (all_ns <= ns) return 0;
    return all_ns - ns < lap.beside_ns ? all_ns - ns : lap.beside_ns;
  }

  bool is_begun_ = false;
  int64_t end_ns_ = 0;
  uint64_t ticket_ = 0;
};

}  // namespace warpshare::interposer
