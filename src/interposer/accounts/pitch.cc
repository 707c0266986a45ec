#include "interposer/accounts/pitch.h"

#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// What NVIDIA's cards pad rows to since Fermi (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).
constexpr uint64_t kAssumedPitch = 512;

Rounding& RuleOf(const Place& place) {
  return Accounts::OfProcess().of_card[place.account->card()].pitch_rule;
}

uint64_t Multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// One row of one byte, freed at once, tells the driver's rule. Charged meanwhile, if that fits.
void AskForPitch(const Place& place) {
  CUdeviceptr pointer = 0;
  size_t pitch = 0;
  constexpr unsigned int kElementBytes = 4;
  if (!place.account->TryCharge(kAssumedPitch)) return;
  if (REAL(cuMemAllocPitch_v2)(&pointer, &pitch, 1, 1, kElementBytes) == CUDA_SUCCESS) {
    REAL(cuMemFree_v2)(pointer);
    RuleOf(place).Learn(1, pitch);
  }
  place.account->GiveBack(kAssumedPitch);
}

}  // namespace

bool ReservePitched(const Place& place, uint64_t width, uint64_t height, uint64_t& reserved) {
  const Rounding& rule = RuleOf(place);
  reserved = Multiply(rule.Most(width, kAssumedPitch), height);
  if (place.account->TryCharge(reserved)) return true;
  if (!MayReserve(place, Multiply(width, height))) return false;
  if (Multiply(rule.Least(width), height) != reserved) AskForPitch(place);
  reserved = Multiply(rule.Most(width, kAssumedPitch), height);
  return Reserve(place, reserved);
}

void LearnPitch(const Place& place, uint64_t width, uint64_t pitch) {
  RuleOf(place).Learn(width, pitch);
}

CUresult EndPitched(const Place& place, uint64_t pointer, uint64_t pitch, uint64_t height,
                    uint64_t reserved) {
  const uint64_t bytes = Multiply(pitch, height);
  const bool fits = bytes <= reserved || place.account->Charge(bytes - reserved);
  if (fits && bytes < reserved) place.account->GiveBack(reserved - bytes);
  const Live live{.bytes = bytes,
                  .card = static_cast<uint8_t>(place.account->card()),
                  .kind = static_cast<uint8_t>(Charged::kItself),
                  .owner = OwnerOf(place.context)};
  if (fits && Remember(Accounts::OfProcess().pointers, pointer, live)) return CUDA_SUCCESS;
  REAL(cuMemFree_v2)(pointer);
  place.account->GiveBack(fits ? bytes : reserved);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

}  // namespace warpshare::interposer
