// What a card's memory is used for, as the accounts tell it apart.
#pragma once

#include <cstdint>

namespace simgpu::world {

enum class MemoryKind : uint32_t {
  kContext,    // contexts
  kModule,     // modules and libraries
  kData,       // everything a program asked for
  kUncharged,  // the simulator's own: on no account
};
inline constexpr int kChargedKinds = 3;

struct MemoryBytes {
  uint64_t by_kind[kChargedKinds] = {};
  uint64_t total() const { return by_kind[0] + by_kind[1] + by_kind[2]; }
};

}  // namespace simgpu::world
