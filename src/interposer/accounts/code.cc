#include "interposer/accounts/code.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

template <typename Handle>
CUresult Load(Handle* handle, DriverCall call, CUresult (*unload)(Handle)) {
  const Place place = handle == nullptr ? Place{} : CurrentPlace();
  if (!place) return call();
  return AllocateOverhead({.table = Accounts::OfProcess().code,
                           .place = place,
                           .kind = Overhead::kCode,
                           .call = call,
                           .key = [=] { return reinterpret_cast<uint64_t>(*handle); },
                           .undo = [=] { return unload(*handle); }});
}

}  // namespace

CUresult LoadModule(CUmodule* module, DriverCall call) {
  return Load(module, call, REAL(cuModuleUnload));
}

CUresult LoadLibrary(CUlibrary* library, DriverCall call) {
  return Load(library, call, REAL(cuLibraryUnload));
}

CUresult UnloadCode(const void* handle, DriverCall call) {
  return FreeCharged(Accounts::OfProcess().code, reinterpret_cast<uint64_t>(handle), call,
                     [](CUresult refusal) { return refusal == CUDA_ERROR_INVALID_HANDLE; });
}

}  // namespace warpshare::interposer
