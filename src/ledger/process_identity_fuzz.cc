// The text comes from the kernel, but the command in it is whatever a process of the tenant calls
// itself.
#include "ledger/process_identity.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpshare::ledger::ProcessStat stat{};
  if (warpshare::ledger::ParseProcessStat(reinterpret_cast<const char*>(data), size, stat) &&
      size < 50) {
    __builtin_trap();  // 25 more fields do not fit
  }
  return 0;
}
