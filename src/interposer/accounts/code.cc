#include "interposer/accounts/code.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/late_code.h"
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
                           .undo = UndoUnwritten(handle, unload)});
}

}  // namespace

CUresult LoadModule(CUmodule* module, DriverCall call) {
  return Load(module, call, REAL(cuModuleUnload));
}

CUresult LoadLibrary(CUlibrary* library, DriverCall call) {
  return Load(library, call, REAL(cuLibraryUnload));
}

CUresult UnloadCode(const void* handle, DriverCall call) {
  if (handle == nullptr || Session::Current() == nullptr) return call();
  const auto is_unknown = [](CUresult refusal) { return refusal == CUDA_ERROR_INVALID_HANDLE; };
  LateCodeGoes late(handle);
  const CUresult result =
      FreeCharged([](Session&) -> LiveTable& { return Accounts::OfProcess().code; },
                  reinterpret_cast<uint64_t>(handle), call, is_unknown);
  late.End(result == CUDA_SUCCESS || is_unknown(result));
  return result;
}

}  // namespace warpshare::interposer
