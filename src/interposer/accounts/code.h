// Modules and libraries: code on the card, charged by what the driver reports that loading it took
// (overhead.h). A library belongs to no context, but what it took goes with the one it was loaded
// into; loaded without one, or lazily, it goes onto the card when it is first asked for something
// there. Later functions of lazily loaded code are not measured: a program has thousands.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/driver_call.h"

namespace warpshare::interposer {

// `call` is the driver's function, of the same meaning.
CUresult LoadModule(CUmodule* module, DriverCall call);
CUresult LoadLibrary(CUlibrary* library, DriverCall call);
// What may bring the library into the current context.
CUresult NeedLibrary(CUlibrary library, DriverCall call);
CUresult UnloadCode(const void* handle, DriverCall call);

}  // namespace warpshare::interposer
