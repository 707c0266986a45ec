// Start of the driver, and of this process as a part of its tenant.
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/session/session.h"

using warpshare::interposer::HasDriver;
using warpshare::interposer::Session;

// A tenant whose directory cannot be used gets an error that says "the system, not your program"
// (docs/decisions/0002-fail-open-or-closed.md).
WARPSHARE_HOOK CUresult cuInit(unsigned int flags) {
  if (HasDriver()) {
    const Session* session = Session::Current();
    if (session != nullptr && session->IsClosed()) return CUDA_ERROR_OPERATING_SYSTEM;
  }
  return REAL(cuInit)(flags);
}
