#include "every_row.h"

using warpshare::abi::CudaIndex;
using warpshare::testing::CodeOf;
using warpshare::testing::kInternalOffset;

// Weak: lookup.cc has its own of a few.
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) \
  extern "C" __attribute__((weak)) int symbol() { return CodeOf(CudaIndex::symbol); }
#include "abi/driver/entry_points.def"

namespace warpshare::testing {

template <CudaIndex kRow>
int Internal() {
  return CodeOf(kRow) + kInternalOffset;
}

const RowAddresses kRowAddresses[] = {
#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) \
  {reinterpret_cast<void*>(&symbol), reinterpret_cast<void*>(&Internal<CudaIndex::symbol>)},
#include "abi/driver/entry_points.def"
};

}  // namespace warpshare::testing
