// What a load's kernels do on a real card, as PTX. All take how many rounds to go as their first
// parameter, so that a kernel lasts as long as asked once its speed is known. A simulated card goes
// by the end of their name instead.
#pragma once

#include <cstdint>
#include <string>

namespace warpshare::load {

struct KernelKind {
  const char* name;
  const char* body;             // from the parameters on
  uint32_t blocks_a_sm;         // 0: one block for the whole card
  uint32_t threads;             // of a block
  uint64_t memory_bytes;        // that it goes through, a power of two; 0: none
  uint64_t calibration_rounds;  // some 50 ms on a card of 2020 or later
};

// spin: one thread, nothing but time. compute: arithmetic on every multiprocessor. memory: reads
// and writes as fast as the card can, far beyond its caches. gemm: products of tiles in shared
// memory, as a matrix multiplication is. Null for a name that is none.
const KernelKind* FindKernelKind(const std::string& name);

// A module with one kernel of that kind and name.
std::string Image(const KernelKind& kind, const std::string& kernel_name);

// Kernels of an address and a value: one ends when the word there is the value or more, the other
// writes it. A simulated card does neither.
inline constexpr char kAwaitWordName[] = "await_word";
inline constexpr char kWriteWordName[] = "write_word";
std::string AwaitWordImage();
std::string WriteWordImage();

}  // namespace warpshare::load
