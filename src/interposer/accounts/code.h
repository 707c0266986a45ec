// Modules and libraries: code on the card, charged by what the driver reports that loading it took
// (overhead.h). A library belongs to no context, but what it took goes with the one it was loaded
// into; what else comes onto cards of it, and of a module, is late_code.h's.
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/driver_call.h"

namespace warpshare::interposer {

// `call` is the driver's function, of the same meaning.
CUresult LoadModule(CUmodule* module, DriverCall call);
CUresult LoadLibrary(CUlibrary* library, DriverCall call);
CUresult UnloadCode(const void* handle, DriverCall call);

}  // namespace warpshare::interposer
