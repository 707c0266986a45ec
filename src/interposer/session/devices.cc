// Which account a device belongs to: by uuid, asked of the driver once per device and process.
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

namespace {

bool ReadUuid(CUdevice device, CUuuid& uuid) {
  // _v2 names a MIG device by its own uuid; drivers before 11.4 lack it.
  return REAL(cuDeviceGetUuid_v2)(&uuid, device) == CUDA_SUCCESS ||
         REAL(cuDeviceGetUuid)(&uuid, device) == CUDA_SUCCESS;
}

bool IsOneDeviceVisible() {
  int devices = 0;
  return REAL(cuDeviceGetCount)(&devices) == CUDA_SUCCESS && devices == 1;
}

uint32_t CardOf(const CUuuid& uuid, const abi::LimitsPageV1& limits) {
  for (uint32_t card = 0; card < limits.card_count && card < abi::kMaxCards; ++card) {
    if (__builtin_memcmp(limits.cards[card].uuid, uuid.bytes, sizeof(uuid.bytes)) == 0) return card;
  }
  return abi::kMaxCards;
}

}  // namespace

uint8_t Session::LearnDevice(CUdevice device) {
  CUuuid uuid;
  if (!ReadUuid(device, uuid))
    return 1 + abi::kMaxCards;  // not remembered: the driver may not be initialised yet
  const auto known = static_cast<uint8_t>(1 + CardOf(uuid, limits()));
  card_of_device_[device].store(known, std::memory_order_relaxed);
  if (known <= abi::kMaxCards && (limits().card_count == 1 || IsOneDeviceVisible())) {
    sole_account_.store(&account(known - 1u), std::memory_order_relaxed);
  }
  return known;
}

CardAccount& Session::AccountOfUnknown(CUdevice device) {
  if (static_cast<unsigned>(device) >= kMaxDevices || IsClosed()) return account(abi::kMaxCards);
  return account(LearnDevice(device) - 1u);
}

CardAccount* Session::AskCurrentContext() {
  CUdevice device;
  if (REAL(cuCtxGetDevice)(&device) != CUDA_SUCCESS) return nullptr;
  return &AccountOf(device);
}

}  // namespace warpshare::interposer
