// Where the memory of a call goes: to which account, and with which context it dies. Found by the
// current context, whose device is remembered, so that it costs one driver call; or by nothing at
// all, where a process can have memory of one card only.
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

// The same for what the driver can be asked about when a context ends, whether it went with it:
// where all of a process is on one card, nothing is asked now and the context is UnknownContext().
inline CUcontext UnknownContext() { return reinterpret_cast<CUcontext>(1); }
inline Place CurrentCard() {
  Session* session = Session::Current();
  CardAccount* sole = session == nullptr ? nullptr : session->SoleAccount();
  if (sole == nullptr) [[unlikely]]
    return session == nullptr ? Place{} : CurrentPlace();
  return {.account = sole, .context = UnknownContext()};
}

// Of a device, whatever is current. Empty without a tenant.
Place PlaceOfDevice(CUdevice device);

// Of a stream, which may be of another device than the current context. A default stream is the
// current context's.
Place PlaceOfStream(CUstream stream);

// The devices of contexts seen lately. A context's handle may come back with another device after
// it was destroyed, so whoever destroys one calls Forget.
class ContextDevices {
 public:
  bool Find(CUcontext context, bool is_current, CUdevice& device) {
    const uint64_t seen = EntryOf(context).load(std::memory_order_relaxed);
    if (seen == 0 || (seen & kContextMask) != reinterpret_cast<uint64_t>(context))
      return Ask(context, is_current, device);
    device = static_cast<CUdevice>(seen >> 48) - 1;
    return true;
  }
  void Forget();
  // Raised by each Forget; for what else is remembered of contexts and their devices.
  uint32_t epoch() const { return epoch_.load(std::memory_order_seq_cst); }

 private:
  static constexpr uint32_t kEntries = 64;
  static constexpr uint64_t kContextMask = (uint64_t{1} << 48) - 1;

  std::atomic<uint64_t>& EntryOf(CUcontext context) {
    const auto key = reinterpret_cast<uint64_t>(context);
    return entries_[(key >> 4 ^ key >> 12) % kEntries];
  }
  bool Ask(CUcontext context, bool is_current, CUdevice& device);

  // Context in the low 48 bits, 1 + device above; 0: empty.
  std::atomic<uint64_t> entries_[kEntries];
  std::atomic<uint32_t> epoch_;
};

}  // namespace warpshare::interposer
