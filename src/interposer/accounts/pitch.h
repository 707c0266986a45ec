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

// The bytes to reserve for rows of `width`: charged on return. False: CUDA_ERROR_OUT_OF_MEMORY.
[[nodiscard]] bool ReservePitched(const Place& place, uint64_t width, uint64_t height,
                                  uint64_t& reserved);

// Trues the reservation up to what the driver made, and remembers it. On refusal it is freed.
CUresult EndPitched(const Place& place, uint64_t pointer, uint64_t pitch, uint64_t height,
                    uint64_t reserved);

void LearnPitch(const Place& place, uint64_t width, uint64_t pitch);

template <typename Address, typename Size>
CUresult AllocatePitched(const PitchRequest<Address, Size>& request,
                         CUresult (*real)(Address*, Size*, Size, Size, unsigned int)) {
  const auto call = [&] {
    return real(request.pointer, request.pitch, request.width, request.height,
                request.element_bytes);
  };
  const bool is_complete = request.pointer != nullptr && request.pitch != nullptr &&
                           request.width != 0 && request.height != 0;
  const Place place = is_complete ? CurrentPlace() : Place{};
  uint64_t reserved = 0;
  if (!place) return call();
  if (!ReservePitched(place, request.width, request.height, reserved)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (const CUresult result = call(); result != CUDA_SUCCESS) {
    place.account->GiveBack(reserved);
    return result;
  }
  LearnPitch(place, request.width, *request.pitch);
  return EndPitched(place, *request.pointer, *request.pitch, request.height, reserved);
}

}  // namespace warpshare::interposer
