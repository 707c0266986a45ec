#include "interposer/accounts/graph_code.h"

#include <initializer_list>

#include "interposer/accounts/charged.h"
#include "interposer/accounts/graph_nodes.h"
#include "interposer/accounts/late_code.h"
#include "interposer/accounts/late_growth.h"
#include "interposer/accounts/stream_order.h"
#include "interposer/compute/metering.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

namespace warpshare::interposer {

namespace {

uint64_t KeyOf(CUgraphExec exec) { return reinterpret_cast<uint64_t>(exec); }

// In the context that the kernel names, if that lives.
CUresult UseInContext(const NodeKernel& kernel, Use use, DriverCall call) {
  CUfunction function =
      kernel.function != nullptr ? kernel.function : reinterpret_cast<CUfunction>(kernel.kernel);
  CUcontext context = kernel.context;
  const bool is_pushed = Accounts::OfProcess().contexts.IsLive(context) &&
                         REAL(cuCtxPushCurrent_v2)(context) == CUDA_SUCCESS;
  if (context != nullptr && !is_pushed) return call();
  const CUresult result = UseFunction(function, use, /*stream=*/nullptr, call);
  if (is_pushed) REAL(cuCtxPopCurrent_v2)(&context);
  return result;
}

// Each is measured by itself. What does not fit the driver will say of the graph.
void LoadKernel(CUgraphNode node) {
  CUDA_KERNEL_NODE_PARAMS params{};
  if (REAL(cuGraphKernelNodeGetParams_v2)(node, &params) != CUDA_SUCCESS) return;
  // Graphs are made of the same few functions, again and again.
  const bool is_seen = params.func != nullptr &&
                       Accounts::Peek().functions.IsSeen(KeyOfUse(params.func, Use::kLoad));
  if (is_seen) return;
  CUfunction function =
      params.func != nullptr ? params.func : reinterpret_cast<CUfunction>(params.kern);
  (void)UseInContext({.function = function, .context = params.ctx}, Use::kLoad,
                     [=] { return REAL(cuFuncLoad)(function); });
}

void LoadKernels(CUgraph graph) {
  if (!DriverHas(abi::CudaIndex::cuFuncLoad)) return;
  ForEachNode(graph, [](CUgraphNode node, CUgraphNodeType type) {
    if (type == CU_GRAPH_NODE_TYPE_KERNEL) LoadKernel(node);
  });
}

// Adds to what the graph has taken, and is charged already.
void EnterOf(CUgraphExec exec, const Place& place, uint64_t bytes) {
  LiveTable& entries = Accounts::OfProcess().code;
  if (entries.Update(KeyOf(exec), [bytes](Live& live) { live.bytes += bytes; })) return;
  if (!Remember(entries, KeyOf(exec), ChargedItself(place, bytes))) place.account->GiveBack(bytes);
}

}  // namespace

CUresult DescribeKernel(const NodeKernel& kernel, DriverCall call) {
  if (Session::Current() == nullptr) return call();
  return UseInContext(kernel, Use::kAsk, call);
}

CUresult MakeExecutable(CUgraphExec* exec, CUgraph graph, DriverCall call) {
  const Place place = exec == nullptr || graph == nullptr ? Place{} : CurrentPlace();
  if (!place) return call();
  LoadKernels(graph);
  LateGrowth growth(place);
  const CUresult result = call();
  growth.Charge([&](uint64_t bytes) {
    if (result == CUDA_SUCCESS)
      EnterOf(*exec, place, bytes);
    else
      place.account->GiveBack(bytes);
  });
  return result;
}

CUresult UseUnseen(CUgraphExec exec, GraphUse use, CUstream stream, DriverCall call) {
  Functions& known = Accounts::OfProcess().functions;
  const bool is_met = known.IsMet(KeyOfUse(exec, use));
  const Place place = exec == nullptr || is_met ? Place{} : CurrentPlace();
  if (!place || (Metering::MayCapture() && IsCapturing(stream))) return call();
  LateGrowth growth(place);
  const CUresult result = call();
  growth.Charge([&](uint64_t bytes) { EnterOf(exec, place, bytes); });
  if (result == CUDA_SUCCESS) known.Meet(KeyOfUse(exec, use), KeyOf(exec));
  return result;
}

void ExecutableChanged(CUgraphExec exec) {
  for (const GraphUse use : {GraphUse::kUpload, GraphUse::kLaunch})
    Accounts::OfProcess().functions.Forget(KeyOfUse(exec, use));
}

CUresult DestroyExecutable(CUgraphExec exec, DriverCall call) {
  if (Session::Current() == nullptr) return call();
  ExecutableChanged(exec);
  return FreeCharged([](Session&) -> LiveTable& { return Accounts::OfProcess().code; }, KeyOf(exec),
                     call, [](CUresult) { return false; });
}

}  // namespace warpshare::interposer
