#include "simgpu/cuda/graph/node_params.h"

#include <algorithm>
#include <utility>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/copy/fill.h"
#include "simgpu/cuda/copy/plan.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/event/event.h"
#include "simgpu/cuda/graph/condition.h"
#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/graph/graph_memory.h"
#include "simgpu/cuda/graph/node_convert.h"
#include "simgpu/cuda/launch/launch.h"
#include "simgpu/cuda/module/library.h"
#include "simgpu/cuda/stream/memory_op.h"

namespace simgpu::cuda {
namespace {

// What a node's work runs in: the context it names, or the current one.
CUresult SettleContext(CUcontext& handle) {
  Context* context = nullptr;
  SIMGPU_TRY(NamedOrCurrentContext(handle, &context));
  handle = context->handle();
  return CUDA_SUCCESS;
}

CUresult Prepare(EmptyParams&) { return CUDA_SUCCESS; }

// A kernel is named by its function, or as a library's kernel in a context.
CUresult Prepare(KernelParams& params) {
  CUDA_KERNEL_NODE_PARAMS_v2& launch = params.launch;
  SIMGPU_REQUIRE(launch.kernelParams == nullptr || launch.extra == nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  void** const arguments = std::exchange(launch.kernelParams, nullptr);
  void** const extra = std::exchange(launch.extra, nullptr);
  if (launch.func == nullptr) {
    Kernel* const kernel = Kernel::From(launch.kern);
    SIMGPU_REQUIRE(kernel != nullptr, CUDA_ERROR_INVALID_VALUE);
    Context* context = nullptr;
    SIMGPU_TRY(NamedOrCurrentContext(launch.ctx, &context));
    Module* module = nullptr;
    SIMGPU_TRY(kernel->library().ModuleIn(*context, &module));
    Function* function = nullptr;
    SIMGPU_TRY(module->GetFunction(kernel->name().c_str(), &function));
    launch.func = function->handle();
  }
  Function* function = nullptr;
  SIMGPU_TRY(ResolveFunction(launch.func, &function));
  launch.func = function->handle();
  if (arguments != nullptr || extra != nullptr)
    params.first_argument = FirstArgument(*function, arguments, extra);
  if (launch.ctx == nullptr) launch.ctx = function->module().context().handle();
  uint64_t ignored = 0;
  return PlanKernel(params, nullptr, &ignored);
}

bool InGraphMemory(CUdeviceptr address) { return GraphAllocation::At(address) != nullptr; }

// Graph memory need not be there yet: copies of it are checked when they are launched.
CUresult Prepare(CopyParams& params) {
  SIMGPU_TRY(SettleContext(params.context));
  CopyPlan plan;
  const CUresult result = PlanCopy(params.copy, &plan);
  const bool later = InGraphMemory(params.copy.dstDevice) || InGraphMemory(params.copy.srcDevice);
  return later ? CUDA_SUCCESS : result;
}

CUresult Prepare(FillParams& params) {
  SIMGPU_TRY(SettleContext(params.fill.ctx));
  FillPlan plan;
  const CUresult result = PlanFill(params.fill, &plan);
  return InGraphMemory(params.fill.dst) ? CUDA_SUCCESS : result;
}

CUresult Prepare(HostParams& params) {
  return params.host.fn != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult Prepare(ChildParams& params) {
  return params.graph != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult Prepare(EventParams& params) {
  return Event::From(params.event) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult Prepare(AllocationParams& params) {
  const CUmemPoolProps& props = params.alloc.poolProps;
  SIMGPU_REQUIRE(props.allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                     props.handleTypes == CU_MEM_HANDLE_TYPE_NONE &&
                     props.location.type == CU_MEM_LOCATION_TYPE_DEVICE,
                 CUDA_ERROR_INVALID_VALUE);
  int card = 0;
  SIMGPU_TRY(CardOf(props.location.id, &card));
  const CUmemAccessDesc* const access = params.alloc.accessDescs;
  SIMGPU_REQUIRE(params.alloc.accessDescCount == 0 || access != nullptr, CUDA_ERROR_INVALID_VALUE);
  params.access.assign(access, access + params.alloc.accessDescCount);
  params.alloc.accessDescs = nullptr;
  SIMGPU_TRY(GraphAllocation::Create(card, params.alloc.bytesize, &params.allocation));
  params.alloc.dptr = params.allocation->address();
  return CUDA_SUCCESS;
}

CUresult Prepare(FreeParams& params) {
  const auto freed = GraphAllocation::At(params.pointer);
  SIMGPU_REQUIRE(freed != nullptr && freed->address() == params.pointer, CUDA_ERROR_INVALID_VALUE);
  params.allocation = freed;
  return CUDA_SUCCESS;
}

CUresult Prepare(MemoryOpParams& params) {
  SIMGPU_TRY(SettleContext(params.context));
  SIMGPU_REQUIRE(!params.ops.empty() && params.flags == 0, CUDA_ERROR_INVALID_VALUE);
  return CheckMemoryOps(params.ops);
}

// Only kernels change a condition, and simulated kernels do not: a loop would never end.
CUresult Prepare(ConditionalParams& params) {
  SIMGPU_TRY(SettleContext(params.context));
  SIMGPU_REQUIRE(params.size >= 1 && IsCondition(params.handle), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(params.type != CU_GRAPH_COND_TYPE_WHILE, CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE(params.type == CU_GRAPH_COND_TYPE_SWITCH ||
                     (params.type == CU_GRAPH_COND_TYPE_IF && params.size <= 2),
                 CUDA_ERROR_INVALID_VALUE);
  if (!params.bodies.empty()) return CUDA_SUCCESS;
  for (unsigned i = 0; i < params.size; ++i) {
    params.bodies.push_back(std::make_shared<Graph>());
    params.body_handles.push_back(params.bodies.back()->handle());
  }
  return CUDA_SUCCESS;
}

CUresult ChildFrom(const CUDA_CHILD_GRAPH_NODE_PARAMS& from, NodeParams* params) {
  Graph* const graph = Graph::From(from.graph);
  SIMGPU_REQUIRE(graph != nullptr, CUDA_ERROR_INVALID_VALUE);
  if (from.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
    SIMGPU_REQUIRE(graph->owned_by_program(), CUDA_ERROR_INVALID_VALUE);
    *params = ChildParams{graph->Release()};
    return CUDA_SUCCESS;
  }
  SIMGPU_REQUIRE(from.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!graph->HasMemoryNodes(), CUDA_ERROR_NOT_SUPPORTED);
  *params = ChildParams{graph->Clone()};
  return CUDA_SUCCESS;
}

KernelParams KernelFromAnyKind(const CUDA_KERNEL_NODE_PARAMS_v3& from) {
  return KernelFrom(CUDA_KERNEL_NODE_PARAMS_v2{
      from.func, from.gridDimX, from.gridDimY, from.gridDimZ, from.blockDimX, from.blockDimY,
      from.blockDimZ, from.sharedMemBytes, from.kernelParams, from.extra, from.kern, from.ctx});
}

}  // namespace

CUgraphNodeType TypeOf(const NodeParams& params) {
  static constexpr CUgraphNodeType kTypes[] = {
      CU_GRAPH_NODE_TYPE_EMPTY,        CU_GRAPH_NODE_TYPE_KERNEL,     CU_GRAPH_NODE_TYPE_MEMCPY,
      CU_GRAPH_NODE_TYPE_MEMSET,       CU_GRAPH_NODE_TYPE_HOST,       CU_GRAPH_NODE_TYPE_GRAPH,
      CU_GRAPH_NODE_TYPE_EVENT_RECORD, CU_GRAPH_NODE_TYPE_MEM_ALLOC,  CU_GRAPH_NODE_TYPE_MEM_FREE,
      CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, CU_GRAPH_NODE_TYPE_CONDITIONAL};
  const auto* const event = std::get_if<EventParams>(&params);
  if (event != nullptr && !event->record) return CU_GRAPH_NODE_TYPE_WAIT_EVENT;
  return kTypes[params.index()];
}

CUresult PrepareNode(NodeParams& params) {
  return std::visit([](auto& kind) { return Prepare(kind); }, params);
}

CUresult FromDriver(const CUgraphNodeParams& from, NodeParams* params) {
  for (const int reserved : from.reserved0) SIMGPU_REQUIRE(reserved == 0, CUDA_ERROR_INVALID_VALUE);
  switch (from.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      *params = KernelFromAnyKind(from.kernel);
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      *params = CopyParams{from.memcpy.copyParams, from.memcpy.copyCtx};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      *params = FillParams{from.memset};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_HOST:
      *params = HostParams{from.host};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return ChildFrom(from.graph, params);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      *params = EmptyParams{};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      *params = EventParams{from.eventWait.event, false};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      *params = EventParams{from.eventRecord.event, true};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      *params = AllocationParams{.alloc = from.alloc, .access = {}, .allocation = nullptr};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      *params = FreeParams{from.free.dptr, nullptr};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      *params = MemoryOpsFrom(
          {from.memOp.ctx, from.memOp.count, from.memOp.paramArray, from.memOp.flags});
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      *params = ConditionalParams{.handle = from.conditional.handle,
                                  .type = from.conditional.type,
                                  .size = from.conditional.size,
                                  .context = from.conditional.ctx,
                                  .bodies = {},
                                  .body_handles = {}};
      return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

}  // namespace simgpu::cuda
