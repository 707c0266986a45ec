// A 64-bit digest of text (FNV-1a, then mixed): for checksums and made-up uuids, not against an
// adversary.
#pragma once

#include <cstdint>
#include <string_view>

namespace simgpu::world {

inline uint64_t Digest(std::string_view text, uint64_t seed) {
  uint64_t value = 0xcbf2'9ce4'8422'2325 ^ seed * 0x9e37'79b9'7f4a'7c15;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
  value ^= value >> 31;
  value *= 0xbf58'476d'1ce4'e5b9;
  return value ^ value >> 29;
}

}  // namespace simgpu::world
