// std::clamp, whose assertions would need libstdc++.
#pragma once

#include <cstdint>

namespace warpshare::interposer {

constexpr uint64_t Within(uint64_t ns, uint64_t least_ns, uint64_t most_ns) {
  return ns < least_ns ? least_ns : (ns > most_ns ? most_ns : ns);
}

}  // namespace warpshare::interposer
