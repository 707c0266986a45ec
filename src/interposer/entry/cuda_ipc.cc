// Device memory that goes to other processes by a handle, and memory of others that is opened here.
#include "interposer/accounts/accounts.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using namespace warpshare::interposer;

namespace {

IpcMemory& Ipc() { return Accounts::OfProcess().ipc_memory; }

CUresult NoteOpened(CUresult result, const CUdeviceptr* pointer, const CUipcMemHandle& handle) {
  if (result == CUDA_SUCCESS && Session::Current() != nullptr) Ipc().NoteOpened(handle, *pointer);
  return result;
}

}  // namespace

WARPSHARE_HOOK CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  const CUresult result = REAL(cuIpcGetMemHandle)(handle, pointer);
  if (result == CUDA_SUCCESS && Session::Current() != nullptr) Ipc().NoteExport(*handle, pointer);
  return result;
}

WARPSHARE_HOOK CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle,
                                           unsigned int flags) {
  return NoteOpened(REAL(cuIpcOpenMemHandle)(pointer, handle, flags), pointer, handle);
}
WARPSHARE_HOOK CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle,
                                              unsigned int flags) {
  return NoteOpened(REAL(cuIpcOpenMemHandle_v2)(pointer, handle, flags), pointer, handle);
}

WARPSHARE_HOOK CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  const auto call = [=] { return REAL(cuIpcCloseMemHandle)(pointer); };
  return Session::Current() == nullptr ? call() : Ipc().Close(pointer, call);
}
