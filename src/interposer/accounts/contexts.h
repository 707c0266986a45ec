// Contexts: what each took of its card, and what goes with it when it ends: pointers, arrays, code
// and frees that its streams have not got to, whose entries name it as their owner.
//
// A device's primary context counts once, from the retain that makes it to the release or reset
// that ends it; whether it lives is asked of the driver. A lock for each card is held while a
// context of it is made or ended, so that no new context has the handle of one that is just going.
//
// `call` is the driver's function, of the same meaning.
#pragma once

#include <cstdint>

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/green_contents.h"
#include "interposer/accounts/live_table.h"
#include "interposer/accounts/overhead.h"
#include "interposer/accounts/place.h"

namespace warpshare::interposer {

class Contexts {
 public:
  CUresult Create(CUcontext* context, CUdevice device, DriverCall call);
  CUresult Destroy(CUcontext context, DriverCall call);
  // cuCtxAttach and cuCtxDetach: the last detach destroys.
  CUresult Attach(CUcontext* context, DriverCall call);
  CUresult Detach(CUcontext context, DriverCall call);

  CUresult RetainPrimary(CUcontext* context, CUdevice device, DriverCall call);
  CUresult ReleasePrimary(CUdevice device, DriverCall call);  // or reset

  // A green context keeps the primary one, which the driver makes for it if need be.
  CUresult CreateGreen(CUgreenCtx* context, CUdevice device, DriverCall call);
  CUresult DestroyGreen(CUgreenCtx context, DriverCall call);

  // Changes the current context by `call` so that it may take more, `most` (overhead.h); `undo`
  // takes that back.
  CUresult Enlarge(uint64_t most, DriverCall call, DriverCall undo);

  // Whether it was made, and has not ended.
  bool IsLive(CUcontext context) {
    Live live;
    return context != nullptr && contexts_.Find(OwnerOf(context), live);
  }

  // Waits while a context is being ended.
  uint64_t BytesOn(uint32_t card) {
    const guest::LockGuard guard(ending_);
    return contexts_.BytesOn(card);
  }

 private:
  struct OfCard {
    guest::Lock lock;
    CUcontext primary = nullptr;  // while it is active, as far as we know
    GreenContents::Tables green;  // of one that is being destroyed
  };

  OfCard& StateOf(const Place& place) { return of_card_[place.account->card()]; }
  void ForgetIfInactive(OfCard& state, CUdevice device);
  void Forget(CUcontext context);

  LiveTable contexts_;  // by CUcontext and CUgreenCtx; owner: attachments beyond the first
  OfCard of_card_[abi::kMaxCards + 1];
  guest::Lock ending_;  // from the driver's ending one until all that went with it is forgotten
};

}  // namespace warpshare::interposer
