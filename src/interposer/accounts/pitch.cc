#include "interposer/accounts/pitch.h"

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// One row of one byte, freed at once, tells the driver's rule. Charged meanwhile, if that fits.
void AskForPitch(const Place& place) {
  CUdeviceptr pointer = 0;
  size_t pitch = 0;
  constexpr unsigned int kElementBytes = 4;
  if (!place.account->TryCharge(kAssumedPitch)) return;
  if (REAL(cuMemAllocPitch_v2)(&pointer, &pitch, 1, 1, kElementBytes) == CUDA_SUCCESS) {
    REAL(cuMemFree_v2)(pointer);
    PitchRuleOf(place).Learn(1, pitch);
  }
  place.account->GiveBack(kAssumedPitch);
}

}  // namespace

bool ReservePitched(const Place& place, uint64_t width, uint64_t height, uint64_t& reserved) {
  const Rounding& rule = PitchRuleOf(place);
  if (!MayReserve(place, RowBytes(width, height))) return false;
  if (RowBytes(rule.Least(width), height) != reserved) AskForPitch(place);
  reserved = RowBytes(rule.Most(width, kAssumedPitch), height);
  return Reserve(*place.account, reserved);
}

CUresult EndPitched(const Place& place, uint64_t pointer, uint64_t bytes, uint64_t reserved) {
  const bool fits = bytes <= reserved || place.account->Charge(bytes - reserved);
  if (fits && bytes < reserved) place.account->GiveBack(reserved - bytes);
  if (fits && Remember(Accounts::pointers(), pointer, ChargedItself(place, bytes)))
    return CUDA_SUCCESS;
  REAL(cuMemFree_v2)(pointer);
  place.account->GiveBack(fits ? bytes : reserved);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

}  // namespace warpshare::interposer
