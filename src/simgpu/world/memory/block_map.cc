#include "simgpu/world/memory/block_map.h"

#include <algorithm>
#include <bit>

namespace simgpu::world {
namespace {

// First bit at or after `from` that is one (flip = 0) or zero (flip = all ones).
uint64_t NextBit(const Word* bits, uint64_t from, uint64_t end, uint64_t flip) {
  while (from < end) {
    const uint64_t rest = (Get(bits[from / 64]) ^ flip) >> (from % 64);
    if (rest != 0) return std::min(end, from + static_cast<uint64_t>(std::countr_zero(rest)));
    from = (from / 64 + 1) * 64;
  }
  return end;
}

}  // namespace

uint64_t NextTaken(const Word* bits, uint64_t from, uint64_t end) {
  return NextBit(bits, from, end, 0);
}

std::optional<uint64_t> FindFreeRun(const Word* bits, uint64_t from, uint64_t end, uint64_t count) {
  while (true) {
    const uint64_t start = NextBit(bits, from, end, ~uint64_t{0});
    if (end - start < count) return std::nullopt;
    from = NextTaken(bits, start, start + count);
    if (from == start + count) return start;
  }
}

}  // namespace simgpu::world
