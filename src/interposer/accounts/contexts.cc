#include "interposer/accounts/contexts.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/linear.h"
#include "interposer/compute/metering.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

bool IsPrimaryActive(CUdevice device) {
  unsigned int flags = 0;
  int active = 0;
  return REAL(cuDevicePrimaryCtxGetState)(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

CUresult ReleasePrimaryUncounted(CUdevice device) {
  return REAL(cuDevicePrimaryCtxRelease_v2)(device);
}

bool DiedWith(CUcontext context, uint64_t pointer, const Live& live) {
  // What came from a pool belongs to the stream's context, which its entry does not name; nor was
  // every pointer's context asked for when it was given out.
  if (live.kind == static_cast<uint8_t>(Charged::kPool) ||
      live.owner == OwnerOf(UnknownContext())) {
    return IsUnknownPointer(pointer, CUDA_ERROR_INVALID_VALUE);
  }
  return live.owner == OwnerOf(context);
}

}  // namespace

CUresult Contexts::Create(CUcontext* context, CUdevice device, DriverCall call) {
  const Place place = context == nullptr ? Place{} : PlaceOfDevice(device);
  if (!place) return call();
  const guest::LockGuard guard(StateOf(place).lock);
  return AllocateOverhead({.table = contexts_,
                           .place = place,
                           .kind = Overhead::kContext,
                           .call = call,
                           .key = [=] { return OwnerOf(*context); },
                           .undo = UndoUnwritten(context, REAL(cuCtxDestroy_v2))});
}

CUresult Contexts::Destroy(CUcontext context, DriverCall call) {
  Live live;
  if (context == nullptr || !contexts_.Find(OwnerOf(context), live)) return call();
  const guest::LockGuard guard(of_card_[live.card].lock);
  const guest::LockGuard ending(ending_);
  const CUresult result = call();
  if (result == CUDA_SUCCESS) Forget(context);
  return result;
}

CUresult Contexts::Attach(CUcontext* context, DriverCall call) {
  const CUresult result = call();
  if (result == CUDA_SUCCESS && context != nullptr) {
    contexts_.Update(OwnerOf(*context), [](Live& live) { ++live.owner; });
  }
  return result;
}

CUresult Contexts::Detach(CUcontext context, DriverCall call) {
  Live live;
  if (context == nullptr || !contexts_.Find(OwnerOf(context), live) || live.owner == 0) {
    return Destroy(context, call);
  }
  const CUresult result = call();
  if (result == CUDA_SUCCESS) {
    contexts_.Update(OwnerOf(context), [](Live& attached) { --attached.owner; });
  }
  return result;
}

CUresult Contexts::RetainPrimary(CUcontext* context, CUdevice device, DriverCall call) {
  const Place place = context == nullptr ? Place{} : PlaceOfDevice(device);
  if (!place) return call();
  const guest::LockGuard guard(StateOf(place).lock);
  if (IsPrimaryActive(device)) return call();
  const CUresult result = AllocateOverhead(
      {.table = contexts_,
       .place = place,
       .kind = Overhead::kContext,
       .call = call,
       .key = [=] { return OwnerOf(*context); },
       .undo = UndoUnwritten(context, [=](CUcontext) { return ReleasePrimaryUncounted(device); })});
  if (result == CUDA_SUCCESS) StateOf(place).primary = *context;
  return result;
}

CUresult Contexts::ReleasePrimary(CUdevice device, DriverCall call) {
  const Place place = PlaceOfDevice(device);
  if (!place) return call();
  const guest::LockGuard guard(StateOf(place).lock);
  const guest::LockGuard ending(ending_);
  const CUresult result = call();
  if (result == CUDA_SUCCESS) ForgetIfInactive(StateOf(place), device);
  return result;
}

CUresult Contexts::CreateGreen(CUgreenCtx* context, CUdevice device, DriverCall call) {
  const Place place = context == nullptr ? Place{} : PlaceOfDevice(device);
  if (!place) return call();
  CUcontext primary = nullptr;
  const CUresult retained = RetainPrimary(
      &primary, device, [&] { return REAL(cuDevicePrimaryCtxRetain)(&primary, device); });
  if (retained != CUDA_SUCCESS) return retained;
  const CUresult result =
      AllocateOverhead({.table = contexts_,
                        .place = place,
                        .kind = Overhead::kOther,
                        .call = call,
                        .key = [=] { return reinterpret_cast<uint64_t>(*context); },
                        .undo = UndoUnwritten(context, REAL(cuGreenCtxDestroy))});
  ReleasePrimary(device, [=] { return ReleasePrimaryUncounted(device); });
  return result;
}

CUresult Contexts::DestroyGreen(CUgreenCtx context, DriverCall call) {
  Live live;
  const auto key = reinterpret_cast<uint64_t>(context);
  if (key == 0 || !contexts_.Take(key, live)) return call();
  OfCard& state = of_card_[live.card];
  const guest::LockGuard guard(state.lock);
  Accounts& accounts = Accounts::OfProcess();
  Place place{.account = &Session::Current()->account(live.card)};
  (void)REAL(cuCtxFromGreenCtx)(&place.context, context);
  CUdevice device = CU_DEVICE_INVALID;
  const bool has_device =
      state.primary != nullptr &&
      accounts.context_devices.Find(state.primary, /*is_current=*/false, device);
  GreenContents contents(state.green, place, live.bytes);
  // Where it is measured, nobody else can (green_contents.h), nor may this wait for itself.
  if (!contents.IsMeasured()) ending_.Acquire();
  const CUresult result = call();
  contents.Measure(result == CUDA_SUCCESS);
  if (contents.IsMeasured()) ending_.Acquire();
  contents.End(state.primary);
  EndFree(contexts_, key, live, result == CUDA_SUCCESS);
  if (result == CUDA_SUCCESS) {
    accounts.context_devices.Forget();
    Metering::OfProcess().ForgetAll();  // who was current by it is unknown
    if (has_device) ForgetIfInactive(state, device);
  }
  ending_.Release();
  return result;
}

CUresult Contexts::Enlarge(uint64_t most, DriverCall call, DriverCall undo) {
  const Place place = CurrentPlace();
  Live live;
  if (!place || !contexts_.Find(OwnerOf(place.context), live)) return call();
  OverheadCall overhead(place, Overhead::kOther, most);
  if (!overhead.Begin()) return CUDA_ERROR_OUT_OF_MEMORY;
  if (const CUresult result = call(); result != CUDA_SUCCESS) {
    overhead.Cancel();
    return result;
  }
  uint64_t bytes = 0;
  if (!overhead.End(bytes)) {
    (void)undo();
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  const bool is_there =
      contexts_.Update(OwnerOf(place.context), [=](Live& enlarged) { enlarged.bytes += bytes; });
  if (!is_there) place.account->GiveBack(bytes);
  return CUDA_SUCCESS;
}

void Contexts::ForgetIfInactive(OfCard& state, CUdevice device) {
  if (state.primary == nullptr || IsPrimaryActive(device)) return;
  Forget(state.primary);
  state.primary = nullptr;
  // Streams of contexts that are not entered, green ones, end with the primary one.
  const auto card = static_cast<uint8_t>(&state - of_card_);
  Accounts::OfProcess().pending_frees.EndIf([this, card](const Live& live) {
    Live entered;
    return live.card == card && (live.owner == 0 || !contexts_.Find(live.owner, entered));
  });
}

void Contexts::Forget(CUcontext context) {
  Accounts& accounts = Accounts::OfProcess();
  const auto bury = [](uint64_t, const Live& live) { Bury(live); };
  accounts.context_devices.Forget();
  Metering::OfProcess().Forget(context);
  const auto died = [=](uint64_t key, const Live& live) { return DiedWith(context, key, live); };
  Accounts::pointers().TakeIf(died, bury);
  accounts.ipc_memory.Forget(died);
  accounts.arrays.TakeIf(died, bury);
  accounts.code.TakeIf(died, bury);
  accounts.functions.ForgetAllButKernels();
  accounts.pending_frees.EndIf([=](const Live& live) { return live.owner == OwnerOf(context); });
  Live live;
  if (contexts_.Take(OwnerOf(context), live)) Bury(live);
  accounts.pools.ShrinkAll();
  accounts.graph_memory.ShrinkAll();
}

}  // namespace warpshare::interposer
