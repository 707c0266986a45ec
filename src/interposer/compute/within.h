// Arithmetic of times.
#pragma once

#include <cstdint>

namespace warpshare::interposer {

// std::clamp, whose assertions would need libstdc++.
constexpr uint64_t Within(uint64_t ns, uint64_t least_ns, uint64_t most_ns) {
  return ns < least_ns ? least_ns : (ns > most_ns ? most_ns : ns);
}

// `ns` of which there are `part` in `of`. Two times of some seconds multiply to more than 64 bits.
inline uint64_t Part(uint64_t ns, uint64_t part, uint64_t of) {
  if (part == of) return ns;
  return static_cast<uint64_t>(static_cast<double>(ns) * static_cast<double>(part) /
                               static_cast<double>(of));
}

}  // namespace warpshare::interposer
