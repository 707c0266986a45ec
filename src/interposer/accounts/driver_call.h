// A call of the driver's function, handed down to what has to be done around it.
#pragma once

#include "abi/driver/cuda_result.h"
#include "interposer/guest/function_ref.h"

namespace warpshare::interposer {

using DriverCall = guest::FunctionRef<CUresult()>;

}  // namespace warpshare::interposer
