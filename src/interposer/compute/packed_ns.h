// A time in 16 bits, no more than a thousandth short: up to half an hour in ns. Zero is valid: 0.
#pragma once

#include <cstdint>

namespace warpshare::interposer {

class PackedNs {
 public:
  constexpr PackedNs() = default;
  constexpr explicit PackedNs(uint64_t ns) {
    const auto width = static_cast<uint32_t>(64 - __builtin_clzll(ns | 1));
    const uint32_t shift = width > kBits ? width - kBits : 0;
    packed_ = shift > kMostShift ? UINT16_MAX : static_cast<uint16_t>(shift << kBits | ns >> shift);
  }

  constexpr uint64_t Ns() const {
    return uint64_t{packed_ & ((1u << kBits) - 1)} << (packed_ >> kBits);
  }

 private:
  static constexpr uint32_t kBits = 11;  // the first ones of it; the other 5 say where they are
  static constexpr uint32_t kMostShift = 31;

  uint16_t packed_ = 0;
};

static_assert(PackedNs(2'047).Ns() == 2'047 && PackedNs(5'000'001).Ns() <= 5'000'001 &&
              PackedNs(5'000'001).Ns() > 4'995'000 &&
              PackedNs(UINT64_MAX).Ns() > 4'000'000'000'000);

}  // namespace warpshare::interposer
