// A driver of three functions in the place of dispatch/, for tests of single pieces of the library:
// how many devices there are, which they are, and which is the current one. Three devices: the
// first two are the cards B and A, as after CUDA_VISIBLE_DEVICES=1,0; the third is no tenant's.
#pragma once

#include <array>
#include <cstdint>

namespace warpshare::testing {

inline constexpr std::array<uint8_t, 16> kUuidA = {1, 2, 3};
inline constexpr std::array<uint8_t, 16> kUuidB = {4, 5, 6};
extern int g_current_device;  // below zero: no context is current

}  // namespace warpshare::testing
