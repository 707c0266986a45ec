// Rows that the driver pads: charged is pitch times height, and the pitch is known only afterwards.
//
// The most that a row may be padded to is reserved; it is learned from what the driver answers
// (rounding.h), and until then assumed, or asked for with one row when the assumption is refused.
// So the limit is never passed, and what fits is not refused.
#pragma once

#include "interposer/accounts/linear.h"
#include "interposer/accounts/rounding.h"

namespace warpshare::interposer {

// `Address` and `Size`: CUdeviceptr and size_t, or unsigned int before CUDA 3.2.
template <typename Address, typename Size>
struct PitchRequest {
  Address* pointer;
  Size* pitch;
  Size width;  // bytes
  Size height;
  unsigned int element_bytes;
};

inline Rounding& PitchRuleOf(const Place& place) {
  return Accounts::OfProcess().of_card[place.account->card()].pitch_rule;
}

// What NVIDIA's cards pad rows to since Fermi (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).
inline constexpr uint64_t kAssumedPitch = 512;

// UINT64_MAX for too much.
inline uint64_t RowBytes(uint64_t pitch, uint64_t height) {
  uint64_t product;
  return __builtin_mul_overflow(pitch, height, &product) ? UINT64_MAX : product;
}

// Where the most does not fit: `reserved` is charged on return. False: CUDA_ERROR_OUT_OF_MEMORY.
[[nodiscard]] bool ReservePitched(const Place& place, uint64_t width, uint64_t height,
                                  uint64_t& reserved);

// Trues the reservation up to what the driver made, and remembers it. On refusal it is freed.
CUresult EndPitched(const Place& place, uint64_t pointer, uint64_t bytes, uint64_t reserved);

template <typename Address, typename Size>
CUresult AllocatePitched(const PitchRequest<Address, Size>& request,
                         CUresult (*real)(Address*, Size*, Size, Size, unsigned int)) {
  const auto call = [&] {
    return real(request.pointer, request.pitch, request.width, request.height,
                request.element_bytes);
  };
  const bool is_complete = request.pointer != nullptr && request.pitch != nullptr &&
                           request.width != 0 && request.height != 0;
  const Place place = is_complete ? CurrentCard() : Place{};
  if (!place) return call();
  Rounding& rule = PitchRuleOf(place);
  uint64_t reserved = RowBytes(rule.Most(request.width, kAssumedPitch), request.height);
  if (!place.account->TryCharge(reserved) &&
      !ReservePitched(place, request.width, request.height, reserved)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (const CUresult result = call(); result != CUDA_SUCCESS) {
    place.account->GiveBack(reserved);
    return result;
  }
  const uint64_t bytes = RowBytes(*request.pitch, request.height);
  if (rule.IsExact() && bytes == reserved &&
      Remember(Accounts::pointers(), *request.pointer, ChargedItself(place, bytes))) [[likely]]
    return CUDA_SUCCESS;
  rule.Learn(request.width, *request.pitch);
  return EndPitched(place, *request.pointer, bytes, reserved);
}

}  // namespace warpshare::interposer
