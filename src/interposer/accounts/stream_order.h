// What a stream does later than the call that asked for it.
#pragma once

#include "abi/driver/cuda_handles.h"
#include "interposer/accounts/live_table.h"

namespace warpshare::interposer {

// Whether the stream records a graph instead of working. Not so when the driver will not say.
bool IsCapturing(CUstream stream);

// Gives back what an entry was charged once the stream has got to where it is now: that is when the
// driver frees what cuMemFreeAsync was given; or when the stream's context ends. A pool keeps what
// its pointers give back, so only the last one of a destroyed pool has anything to wait for.
void BuryInOrder(const Live& live, CUstream stream);
// The same of a pool whose last pointer was freed in the stream.
struct PoolRecord;
[[gnu::cold]] void BuryPoolInOrder(PoolRecord& record, CUstream stream);

}  // namespace warpshare::interposer
