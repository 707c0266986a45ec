#include "simgpu/cuda/launch/launch.h"

#include <cstring>
#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/device/fixed_attributes.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/event/event.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/launch/duration.h"
#include "simgpu/cuda/launch/occupancy.h"
#include "simgpu/cuda/module/module.h"

namespace simgpu::cuda {
namespace {

using world::CardSpec;

template <CUdevice_attribute kLimit>
bool Fits(unsigned size) {
  return size >= 1 && size <= kFixedAttribute<kLimit>;
}

CUresult CheckShape(const CUDA_KERNEL_NODE_PARAMS_v2& launch) {
  SIMGPU_REQUIRE(Fits<CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X>(launch.gridDimX) &&
                     Fits<CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y>(launch.gridDimY) &&
                     Fits<CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z>(launch.gridDimZ),
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(Fits<CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X>(launch.blockDimX) &&
                     Fits<CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y>(launch.blockDimY) &&
                     Fits<CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z>(launch.blockDimZ),
                 CUDA_ERROR_INVALID_VALUE);
  const uint64_t threads = uint64_t{launch.blockDimX} * launch.blockDimY * launch.blockDimZ;
  SIMGPU_REQUIRE(threads <= kFixedAttribute<CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK>,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

bool IsCooperative(const KernelParams& node) {
  const auto found = node.attributes.find(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  return found != node.attributes.end() && found->second.cooperative != 0;
}

CUresult CheckCluster(const KernelParams& node, const CardSpec& spec,
                      const FunctionAttributes& attributes) {
  const auto found = node.attributes.find(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  if (found == node.attributes.end()) return CUDA_SUCCESS;
  const auto& cluster = found->second.clusterDim;
  const uint64_t blocks = uint64_t{cluster.x} * cluster.y * cluster.z;
  if (blocks <= 1) return blocks == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  const bool divides = node.launch.gridDimX % cluster.x == 0 &&
                       node.launch.gridDimY % cluster.y == 0 &&
                       node.launch.gridDimZ % cluster.z == 0;
  return divides && blocks <= LargestCluster(spec, attributes) ? CUDA_SUCCESS
                                                               : CUDA_ERROR_INVALID_CLUSTER_SIZE;
}

// The events that a launch may record. The kernel's blocks all begin and end together here.
CUresult RecordLaunchEvents(const KernelParams& node, Stream& stream) {
  for (const auto& [id, value] : node.attributes) {
    CUevent handle = nullptr;
    if (id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT) handle = value.programmaticEvent.event;
    if (id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT) {
      handle = value.launchCompletionEvent.event;
    }
    if (handle == nullptr) continue;
    Event* const event = Event::From(handle);
    SIMGPU_REQUIRE(event != nullptr, CUDA_ERROR_INVALID_HANDLE);
    SIMGPU_TRY(event->Record(stream));
  }
  return CUDA_SUCCESS;
}

// When a kernel has ended that does what no kernel may, its context has failed.
CUresult EnqueueFault(const KernelParams& node, Stream& stream) {
  Function* function = nullptr;
  SIMGPU_TRY(ResolveFunction(node.launch.func, &function));
  if (!function->named().faults) return CUDA_SUCCESS;
  return stream.Enqueue(Op::Effect([context = stream.context().weak_from_this()] {
    if (const auto failed = context.lock()) failed->Fail(CUDA_ERROR_ILLEGAL_ADDRESS);
  }));
}

CUresult NodeContext(const KernelParams& node, const Function& function) {
  SIMGPU_REQUIRE(function.module().context().live(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  SIMGPU_REQUIRE(
      node.launch.ctx == nullptr || node.launch.ctx == function.module().context().handle(),
      CUDA_ERROR_INVALID_CONTEXT);
  return CUDA_SUCCESS;
}

}  // namespace

uint64_t FirstArgument(const Function& function, void** arguments, void** extra) {
  if (function.named().argument_unit_ns == 0) return 0;
  const void* from = arguments != nullptr ? arguments[0] : nullptr;
  for (void** at = extra; from == nullptr && at != nullptr && *at != CU_LAUNCH_PARAM_END; at += 2)
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) from = at[1];
  uint64_t argument = 0;
  if (from != nullptr) std::memcpy(&argument, from, sizeof(argument));
  return argument;
}

CUresult KernelNodeOf(const Launch& launch, KernelParams* node) {
  SIMGPU_REQUIRE(launch.arguments == nullptr || launch.extra == nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(launch.attribute_count == 0 || launch.attributes != nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  Function* function = nullptr;
  SIMGPU_TRY(ResolveFunction(launch.function, &function));
  const LaunchShape& shape = launch.shape;
  node->launch = {.func = function->handle(),
                  .gridDimX = shape.grid_x,
                  .gridDimY = shape.grid_y,
                  .gridDimZ = shape.grid_z,
                  .blockDimX = shape.block_x,
                  .blockDimY = shape.block_y,
                  .blockDimZ = shape.block_z,
                  .sharedMemBytes = shape.shared_bytes,
                  .kernelParams = nullptr,
                  .extra = nullptr,
                  .kern = nullptr,
                  .ctx = function->module().context().handle()};
  for (unsigned i = 0; i < launch.attribute_count; ++i) {
    node->attributes[launch.attributes[i].id] = launch.attributes[i].value;
  }
  node->first_argument = FirstArgument(*function, launch.arguments, launch.extra);
  node->attributes.erase(CU_LAUNCH_ATTRIBUTE_IGNORE);
  return CUDA_SUCCESS;
}

CUresult PlanKernel(const KernelParams& node, const Context* runs_in, uint64_t* duration_ns) {
  Function* function = nullptr;
  SIMGPU_TRY(ResolveFunction(node.launch.func, &function));
  SIMGPU_TRY(NodeContext(node, *function));
  const Context& context = runs_in == nullptr ? function->module().context() : *runs_in;
  const CardSpec& spec = SpecOf(context.card());
  const FunctionAttributes& attributes = function->attributes();
  const CUDA_KERNEL_NODE_PARAMS_v2& launch = node.launch;
  SIMGPU_TRY(CheckShape(launch));
  const int most_shared = attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES];
  SIMGPU_REQUIRE(launch.sharedMemBytes <= static_cast<unsigned>(most_shared),
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckCluster(node, spec, attributes));
  const unsigned threads = launch.blockDimX * launch.blockDimY * launch.blockDimZ;
  const Grid grid = {
      .blocks = uint64_t{launch.gridDimX} * launch.gridDimY * launch.gridDimZ,
      .blocks_at_once = BlocksAtOnce({.threads = threads,
                                      .shared_bytes = launch.sharedMemBytes,
                                      .registers = attributes[CU_FUNC_ATTRIBUTE_NUM_REGS]}),
      .sm_count = context.sm_count()};
  SIMGPU_REQUIRE(grid.blocks_at_once > 0, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  SIMGPU_REQUIRE(
      !IsCooperative(node) || grid.blocks <= uint64_t{grid.sm_count} * grid.blocks_at_once,
      CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  *duration_ns = KernelDurationNs(function->named(), spec, grid, node.first_argument);
  return CUDA_SUCCESS;
}

CUresult LoadCode(const KernelParams& node) {
  Function* function = nullptr;
  SIMGPU_TRY(ResolveFunction(node.launch.func, &function));
  return function->Load();
}

CUresult LaunchInStream(const Launch& launch, CUstream handle, DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveForWork(handle, mode, &stream));
  KernelParams node;
  SIMGPU_TRY(KernelNodeOf(launch, &node));
  uint64_t duration_ns = 0;
  SIMGPU_TRY(PlanKernel(node, &stream->context(), &duration_ns));
  SIMGPU_REQUIRE(node.launch.ctx == stream->context().handle() ||
                     stream->context().kind() == ContextKind::kGreen,
                 CUDA_ERROR_INVALID_HANDLE);
  if (stream->capturing()) {
    NodeParams params = std::move(node);
    return CaptureNode(*stream, params);
  }
  SIMGPU_TRY(LoadCode(node));
  SIMGPU_TRY(stream->Enqueue(Op::Kernel(duration_ns)));
  SIMGPU_TRY(EnqueueFault(node, *stream));
  return node.attributes.empty() ? CUDA_SUCCESS : RecordLaunchEvents(node, *stream);
}

}  // namespace simgpu::cuda
