// Device memory that processes open by a handle of its own (cuIpcGetMemHandle). It lives until its
// maker has freed it and everybody else has closed it, and is charged once: in a slot of its own
// from the first handle on (ledger/memory_slot.h), which goes by what is in the handle.
//
// What was exported is not in Accounts::pointers() any more, so that a free of other memory need
// not look here. One lock, never held while the driver opens, closes or frees.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/driver_call.h"
#include "interposer/accounts/live_table.h"
#include "interposer/guest/lock.h"
#include "ledger/memory_slot.h"

namespace warpshare::interposer {

class IpcMemory {
 public:
  // After the driver has given `handle` for memory of this process.
  void NoteExport(const CUipcMemHandle& handle, CUdeviceptr pointer);
  // A cuMemFree or its like of what is not in Accounts::pointers(): `call()` is the driver's.
  CUresult Free(CUdeviceptr pointer, DriverCall call);
  // The same when the stream gets there, by a cuMemFreeAsync.
  CUresult FreeInOrder(CUdeviceptr pointer, CUstream stream, DriverCall call);

  // After the driver has opened another process's memory at `pointer`.
  void NoteOpened(const CUipcMemHandle& handle, CUdeviceptr pointer);
  // Closes it by `call()`, the driver's.
  CUresult Close(CUdeviceptr pointer, DriverCall call);

  // With their context, which is dead, all go of which `died(pointer, entry)`.
  template <typename Died>
  void Forget(Died died) {
    const guest::LockGuard guard(lock_);
    exported_.TakeIf(died, [this](uint64_t pointer, const Live&) { EndExported(pointer); });
    opened_.TakeIf(died, [this](uint64_t pointer, const Live&) { EndOpened(pointer); });
  }

  uint64_t BytesOn(uint32_t card) { return exported_.BytesOn(card); }

 private:
  struct Exported {
    Live live;
    Live slot;
  };
  bool Take(CUdeviceptr pointer, Exported& exported);
  // Whether the driver has refused to free it, so that it is entered again.
  bool IsBack(CUdeviceptr pointer, const Exported& exported, CUresult result);

  // With lock_ held.
  void EndExported(CUdeviceptr pointer);
  void EndOpened(CUdeviceptr pointer);
  void LeaveIfClosed(const Live& slot);

  guest::Lock lock_;
  DenseLiveTable exported_;     // by pointer: as in Accounts::pointers()
  DenseLiveTable exported_in_;  // the same: owner is the slot
  DenseLiveTable opened_;       // by pointer: how often, as bytes of no card; owner: the context
  DenseLiveTable opened_in_;    // the same: owner is the slot
};

}  // namespace warpshare::interposer
