// How long a simulated kernel lasts. In this order:
//  1. Its name: a kernel whose plain name ends in _<number>ns, us or ms lasts that long, however it
//     is launched ("spin_250us"; of mangled C++ names the last part counts). One that ends in
//     _arg0ns, us or ms lasts as long as its first argument says, a 64-bit number.
//  2. SIMGPU_KERNEL_DURATION, or kernel_duration of the card in the scenario.
//  3. Its grid: 10 us for each wave of blocks, a wave being as many blocks as fit on the
//     multiprocessors at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simgpu/world/scenario.h"

namespace simgpu::cuda {

struct Grid {
  uint64_t blocks = 1;
  unsigned blocks_at_once = 1;  // on one multiprocessor
  unsigned sm_count = 1;
};

inline constexpr uint64_t kWaveNs = 10'000;

// What a kernel's name says of it: read once, when the program asks for the kernel.
struct NamedBehaviour {
  std::optional<uint64_t> duration_ns;
  uint64_t argument_unit_ns = 0;  // of which the first argument counts so many; 0: it says nothing
  bool faults = false;            // touches an address that it may not ("fill_illegal_address")
};

NamedBehaviour BehaviourInName(const std::string& name);
uint64_t KernelDurationNs(const NamedBehaviour& named, const world::CardSpec& spec,
                          const Grid& grid, uint64_t first_argument = 0);

}  // namespace simgpu::cuda
