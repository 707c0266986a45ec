// What executable graphs bring onto a card beside the memory of their allocation nodes: the code of
// their kernels, which is loaded and charged first, as it stays when the graph goes
// (late_code.h); and what the driver keeps for the graph itself, from the call that made it or its
// first launch until it is destroyed (late_growth.h).
#pragma once

#include "abi/driver/cuda_types.h"
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/driver_call.h"

namespace warpshare::interposer {

// As a kernel node names it: a function, or a library's kernel, in the context given or current.
struct NodeKernel {
  CUfunction function = nullptr;
  CUkernel kernel = nullptr;
  CUcontext context = nullptr;
};
// `call` describes or loads it.
CUresult DescribeKernel(const NodeKernel& kernel, DriverCall call);

// `call` is the driver's, of the same meaning.
CUresult MakeExecutable(CUgraphExec* exec, CUgraph graph, DriverCall call);
// Other kernels may be in it from now on.
void ExecutableChanged(CUgraphExec exec);
CUresult DestroyExecutable(CUgraphExec exec, DriverCall call);

// Each may be what has the driver keep more of it.
enum class GraphUse : uint8_t { kUpload = 0xd, kLaunch = 0xe };

inline uint64_t KeyOfUse(CUgraphExec exec, GraphUse use) {
  return reinterpret_cast<uint64_t>(exec) | uint64_t{static_cast<uint8_t>(use)} << 60;
}

[[gnu::cold]] CUresult UseUnseen(CUgraphExec exec, GraphUse use, CUstream stream, DriverCall call);
template <typename Call>
[[gnu::always_inline]] inline CUresult UseExecutable(CUgraphExec exec, GraphUse use,
                                                     CUstream stream, Call call) {
  const bool is_seen = Accounts::Peek().functions.IsSeen(KeyOfUse(exec, use));
  if (is_seen || Session::Current() == nullptr) [[likely]]
    return call();
  return UseUnseen(exec, use, stream, call);
}

}  // namespace warpshare::interposer
