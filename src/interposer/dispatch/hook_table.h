// Which of our functions stands in for an address that the driver's cuGetProcAddress returned.
#pragma once

#include "abi/driver/cuda_handles.h"

namespace warpshare::interposer {

// What the program asked for, and what the driver answered.
struct ProcAddress {
  const char* name;
  int version;
  cuuint64_t flags;
  void* from_driver;
};

// Our hook for the very variant that the driver chose, or the driver's address where we have none.
// The variant is told by the address alone, so an ABI (_v2, _ptsz) is never mixed up; name and
// version only part variants that a driver implements by one function.
void* Substitute(const ProcAddress& answer);

}  // namespace warpshare::interposer
