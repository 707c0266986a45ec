// Symbol names by row without pointers: kCudaEntries has one relocation a row, which every process
// that loads the library would pay for at its start.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpshare::interposer {

// Where each of `kCount` names begins in `names`, a run of NUL-terminated strings.
template <size_t kCount, size_t kBytes>
constexpr std::array<uint16_t, kCount> NameOffsets(const char (&names)[kBytes]) {
  static_assert(kBytes <= UINT16_MAX);
  std::array<uint16_t, kCount> offsets{};
  size_t at = 0;
  for (size_t i = 0; i < kCount; ++i) {
    offsets[i] = static_cast<uint16_t>(at);
    while (names[at] != '\0') ++at;
    ++at;
  }
  return offsets;
}

}  // namespace warpshare::interposer
