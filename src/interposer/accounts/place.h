// Where the memory of a call goes: to which account, and with which context it dies. Found by the
// current context, whose device is remembered, so that it costs one driver call.
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/cuda_handles.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

struct Place {
  CardAccount* account = nullptr;  // null: the call is the driver's alone
  CUcontext context = nullptr;
  CUdevice device = CU_DEVICE_INVALID;

  explicit operator bool() const { return account != nullptr; }
};

// Of the calling thread's context. Empty without a tenant, and without a context: the driver will
// refuse the call itself.
Place CurrentPlace();

// Of a device, whatever is current. Empty without a tenant.
Place PlaceOfDevice(CUdevice device);

// Of a stream, which may be of another device than the current context. A default stream is the
// current context's.
Place PlaceOfStream(CUstream stream);

// The devices of contexts seen lately. A context's handle may come back with another device after
// it was destroyed, so whoever destroys one calls Forget.
class ContextDevices {
 public:
  bool Find(CUcontext context, bool is_current, CUdevice& device);
  void Forget();

 private:
  static constexpr uint32_t kEntries = 64;

  std::atomic<uint32_t> epoch_;
  // Context in the low 48 bits, 1 + device above; 0: empty.
  std::atomic<uint64_t> entries_[kEntries];
};

}  // namespace warpshare::interposer
