#include "interposer/accounts/code.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

// The kind of a library that was asked for something in the context that it is entered with.
constexpr uint8_t kNeeded = static_cast<uint8_t>(Charged::kItself) | 0x80;

// Charged already. False without memory to remember it in.
bool EnterNeeded(uint64_t library, Live needed) {
  LiveTable& code = Accounts::OfProcess().code;
  const auto add = [&needed](Live& live) {
    live.bytes += needed.bytes;
    live.kind = kNeeded;
  };
  if (code.Update(library, add)) return true;
  Live other;
  const LiveTable::Added added = code.Add(library, needed, other);
  if (added != LiveTable::Added::kReplaced) return added == LiveTable::Added::kNew;
  needed.bytes = other.bytes;  // by another thread just now
  return code.Update(library, add);
}

template <typename Handle>
CUresult Load(Handle* handle, DriverCall call, CUresult (*unload)(Handle)) {
  const Place place = handle == nullptr ? Place{} : CurrentPlace();
  if (!place) return call();
  return AllocateOverhead({.table = Accounts::OfProcess().code,
                           .place = place,
                           .kind = Overhead::kCode,
                           .call = call,
                           .key = [=] { return reinterpret_cast<uint64_t>(*handle); },
                           .undo = UndoUnwritten(handle, unload)});
}

}  // namespace

CUresult LoadModule(CUmodule* module, DriverCall call) {
  return Load(module, call, REAL(cuModuleUnload));
}

CUresult LoadLibrary(CUlibrary* library, DriverCall call) {
  return Load(library, call, REAL(cuLibraryUnload));
}

CUresult NeedLibrary(CUlibrary library, DriverCall call) {
  const Place place = library == nullptr ? Place{} : CurrentPlace();
  const auto key = reinterpret_cast<uint64_t>(library);
  Live live;
  const bool is_known = place && Accounts::OfProcess().code.Find(key, live);
  if (!place || (is_known && (live.kind == kNeeded || live.owner != OwnerOf(place.context))))
      [[likely]]
    return call();
  OverheadCall overhead(place, is_known ? Overhead::kOther : Overhead::kCode);
  if (!overhead.Begin()) return CUDA_ERROR_OUT_OF_MEMORY;
  if (const CUresult result = call(); result != CUDA_SUCCESS) {
    overhead.Cancel();
    return result;
  }
  uint64_t bytes = 0;
  // It cannot be undone, so it counts over the limit too, and the next call finds it there.
  const bool fits = overhead.End(bytes);
  if (!fits) place.account->ChargeTaken(bytes);
  const bool is_entered = EnterNeeded(key, {.bytes = bytes,
                                            .card = static_cast<uint8_t>(place.account->card()),
                                            .kind = kNeeded,
                                            .owner = OwnerOf(place.context)});
  if (!is_entered) place.account->GiveBack(bytes);
  return fits ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult UnloadCode(const void* handle, DriverCall call) {
  return FreeCharged([](Session&) -> LiveTable& { return Accounts::OfProcess().code; },
                     reinterpret_cast<uint64_t>(handle), call,
                     [](CUresult refusal) { return refusal == CUDA_ERROR_INVALID_HANDLE; });
}

}  // namespace warpshare::interposer
