// A process at work on everything a world offers, in random order, checking what it sees. Ends only
// by being killed, or with a word on stderr when the world broke a promise.
#pragma once

#include <array>
#include <atomic>
#include <random>
#include <vector>

#include "simgpu/world/world.h"

namespace simgpu::world {

// Where storms tell each other the names of their extents: a file mapped by all. Torn names are
// part of the test.
struct Board {
  std::array<std::array<std::atomic<uint64_t>, 3>, 32> names;
};

class Storm {
 public:
  Storm(World& world, Board& board, unsigned seed) : world_(world), board_(board), random_(seed) {}
  void Step();

 private:
  struct Piece {
    Allocation allocation;
    uint64_t tag = 0;
  };
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  int AnyCard() { return static_cast<int>(Below(static_cast<uint64_t>(world_.card_count()))); }

  void Allocate();
  void Free();
  void ChargeAndUncharge();
  void ShareExtent();
  void HoldSomeones();
  void ExportAndImport();
  void Compute();
  void Ask();

  World& world_;
  Board& board_;
  std::mt19937_64 random_;
  std::vector<Piece> pieces_;
};

// The same operations once each in a fixed order, for killing at a chosen instruction: stops itself
// (SIGSTOP) before the operation with number `stop_before`. Answers how many there are.
int RunSequence(World& world, int stop_before);

}  // namespace simgpu::world
