#include "every_row.h"

#define NVML_ENTRY(symbol, effect, handling) \
  extern "C" int symbol() { return warpshare::testing::CodeOf(warpshare::abi::NvmlIndex::symbol); }
#include "abi/driver/entry_points.def"
