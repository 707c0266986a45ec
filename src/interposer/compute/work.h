// What a call submits, as far as it tells how long the card will be at it: a name under which its
// cost is learned, and a guess for the first time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/driver/cuda_types.h"

namespace warpshare::interposer {

struct Work {
  uint64_t name;  // never 0
  uint64_t guess_ns;
  bool is_sized = false;  // by its bytes: such a guess is worth something
  // Of a kernel, for a better guess (families.h).
  const void* function = nullptr;
  uint64_t threads = 0;
};

namespace work {

// Mixes well enough for a table; not for anything hostile: who makes keys meet gets wrong guesses.
constexpr uint64_t Mix(uint64_t a, uint64_t b) {
  const uint64_t mixed = (a ^ (b * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
  return mixed ^ (mixed >> 32);
}

struct Shape {
  uint64_t grid;  // blocks
  uint32_t block;
  uint32_t shared_bytes;
};

constexpr Shape ShapeOf(unsigned gx, unsigned gy, unsigned gz, unsigned block,
                        unsigned shared_bytes) {
  return {.grid = uint64_t{gx} * gy * gz, .block = block, .shared_bytes = shared_bytes};
}

inline Work Kernel(const void* function, const Shape& shape) {
  const uint64_t place = Mix(reinterpret_cast<uint64_t>(function), shape.grid);
  return {.name = Mix(place, uint64_t{shape.block} << 32 | shape.shared_bytes) | 1,
          .guess_ns = 20'000,
          .function = function,
          .threads = shape.grid * shape.block};
}

inline Work Graph(CUgraphExec exec) {
  return {.name = Mix(reinterpret_cast<uint64_t>(exec), 3) | 1, .guess_ns = 200'000};
}

// The two kinds of moving bytes, by the speeds of today's slowest cards in a data centre.
enum class Path : uint8_t { kHost, kCard };

// Sizes within an eighth of an octave are of one cost. `which` tells functions apart.
constexpr Work Move(Path path, uint64_t bytes, uint64_t which) {
  const int octave = bytes < 8 ? 0 : 60 - __builtin_clzll(bytes);
  const uint64_t size = uint64_t(octave) << 4 | (bytes >> octave & 7);
  const uint64_t bytes_per_us = path == Path::kHost ? 10'000 : 200'000;
  return {.name = Mix(size, which << 1 | (path == Path::kHost)) | 1,
          .guess_ns = 3'000 + bytes * 1'000 / bytes_per_us,
          .is_sized = true};
}

}  // namespace work

}  // namespace warpshare::interposer
