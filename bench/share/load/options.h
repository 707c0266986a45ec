// The command line of the load program: `--name value` pairs. --help prints what there is.
#pragma once

#include <cstdint>
#include <string>

#include "bench/share/load/kernels.h"

namespace warpshare::load {

struct Options {
  std::string mode = "async";
  const KernelKind* work = FindKernelKind("spin");  // what its kernels do
  std::string kernel = "200us";                     // a number and ns, us or ms
  uint64_t kernel_ns = 200'000;
  uint64_t longest_kernel_ns = 0;  // each lasts from kernel_ns to this; 0: all as long
  uint32_t depth = 64;             // submissions in flight
  uint32_t streams = 1;            // taken in turn
  uint32_t graph_nodes = 20;       // kernels in a graph
  uint64_t copy_bytes = 1 << 18;   // of one copy
  uint64_t burst_ns = 2'000'000;   // work in a burst
  uint64_t period_ns = 20'000'000;
  uint64_t gap_ns = 40'000;   // of the processor's work before each launch
  uint64_t memory_bytes = 0;  // allocated at the start
  double seconds = 10;        // after the start signal
  uint64_t ticks_ns = 0;      // how often it says how far it is; 0: only at the end
  double loops_per_us = 0;    // of a real card's kernel; a simulated one goes by the name
  int device = 0;
  int rank = 0;              // in a pair
  std::string pair_file;     // shared by the two of a pair
  bool await_start = false;  // a line on standard input starts it
};

// Ends the program with what is wrong.
Options ReadOptions(int count, char** words);

}  // namespace warpshare::load
