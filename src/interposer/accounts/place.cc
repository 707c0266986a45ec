#include "interposer/accounts/place.h"

#include "interposer/accounts/accounts.h"
#include "interposer/dispatch/default_stream.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

bool AskDevice(CUcontext context, bool is_current, CUdevice& device) {
  if (is_current) return REAL(cuCtxGetDevice)(&device) == CUDA_SUCCESS;
  if (REAL(cuCtxPushCurrent_v2)(context) != CUDA_SUCCESS) return false;
  const bool known = REAL(cuCtxGetDevice)(&device) == CUDA_SUCCESS;
  REAL(cuCtxPopCurrent_v2)(&context);
  return known;
}

}  // namespace

bool ContextDevices::Ask(CUcontext context, bool is_current, CUdevice& device) {
  const auto key = reinterpret_cast<uint64_t>(context);
  std::atomic<uint64_t>& entry = EntryOf(context);
  const uint32_t epoch = epoch_.load(std::memory_order_seq_cst);
  if (!AskDevice(context, is_current, device)) return false;
  if ((key & ~kContextMask) != 0 || device < 0 || device > 0xff) return true;
  entry.store(key | (static_cast<uint64_t>(device + 1) << 48), std::memory_order_seq_cst);
  // Forgotten while we asked: what we wrote may be of a context that is gone.
  if (epoch_.load(std::memory_order_seq_cst) != epoch) entry.store(0, std::memory_order_relaxed);
  return true;
}

void ContextDevices::Forget() {
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  for (std::atomic<uint64_t>& entry : entries_) entry.store(0, std::memory_order_seq_cst);
}

// Built in one piece at the end: a place that is written in halves and then copied whole waits for
// its own stores, which every allocation would pay for.
Place CurrentPlace() {
  Session* session = Session::Current();
  CUcontext context = nullptr;
  CUdevice device = CU_DEVICE_INVALID;
  if (session == nullptr || REAL(cuCtxGetCurrent)(&context) != CUDA_SUCCESS || context == nullptr ||
      !Accounts::OfProcess().context_devices.Find(context, true, device)) {
    return {};
  }
  return {.account = &session->AccountOf(device), .context = context, .device = device};
}

Place PlaceOfDevice(CUdevice device) {
  Session* session = Session::Current();
  if (session == nullptr) return {};
  return {.account = &session->AccountOf(device), .context = nullptr, .device = device};
}

Place PlaceOfStream(CUstream stream) {
  if (IsDefault(stream)) return CurrentPlace();
  if (Session::Current() == nullptr) return {};
  CUcontext context = nullptr;
  CUdevice device = CU_DEVICE_INVALID;
  if (REAL(cuStreamGetCtx)(stream, &context) == CUDA_SUCCESS && context != nullptr &&
      Accounts::OfProcess().context_devices.Find(context, false, device)) {
    return PlaceOfDevice(device);
  }
  // A stream of a green context has no context of the old kind.
  if (REAL(cuStreamGetDevice)(stream, &device) == CUDA_SUCCESS) return PlaceOfDevice(device);
  return CurrentPlace();
}

}  // namespace warpshare::interposer
