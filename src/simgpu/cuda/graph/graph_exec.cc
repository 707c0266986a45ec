#include "simgpu/cuda/graph/graph_exec.h"

#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/copy/fill.h"
#include "simgpu/cuda/copy/plan.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/event/event.h"
#include "simgpu/cuda/graph/change_node.h"
#include "simgpu/cuda/graph/graph_memory.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/launch/launch.h"
#include "simgpu/cuda/stream/host_function.h"
#include "simgpu/cuda/stream/memory_op.h"
#include "simgpu/cuda/stream/stream.h"
#include "simgpu/cuda/stream/stream_queue.h"
#include "simgpu/world/sync/clock.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

void CollectAllocations(const Graph& graph, std::vector<std::shared_ptr<GraphAllocation>>* all) {
  for (const auto& node : graph.nodes()) {
    if (const auto* made = node->As<AllocationParams>()) all->push_back(made->allocation);
    for (const auto& inner : InnerGraphs(*node)) CollectAllocations(*inner, all);
  }
}

void CollectReferences(const Graph& graph, std::vector<std::shared_ptr<UserReferences>>* all) {
  all->push_back(graph.references());
  for (const auto& node : graph.nodes()) {
    for (const auto& inner : InnerGraphs(*node)) CollectReferences(*inner, all);
  }
}

CUresult LoadCodeOf(const Graph& graph) {
  for (const auto& node : graph.nodes()) {
    if (const auto* kernel = node->As<KernelParams>()) SIMGPU_TRY(LoadCode(*kernel));
    for (const auto& inner : InnerGraphs(*node)) SIMGPU_TRY(LoadCodeOf(*inner));
  }
  return CUDA_SUCCESS;
}

bool HasCycle(const Graph& graph) {
  if (graph.Ordered().size() != graph.nodes().size()) return true;
  for (const auto& node : graph.nodes()) {
    for (const auto& inner : InnerGraphs(*node)) {
      if (HasCycle(*inner)) return true;
    }
  }
  return false;
}

}  // namespace

CUresult GraphExec::Create(Graph& graph, uint64_t flags, GraphExec** exec) {
  SIMGPU_REQUIRE(!HasCycle(graph), CUDA_ERROR_INVALID_VALUE);
  const bool has_memory = graph.HasMemoryNodes();
  SIMGPU_REQUIRE(!has_memory || graph.memory_exec().expired(), CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_TRY(LoadCodeOf(graph));
  auto made = std::make_shared<GraphExec>(graph.Clone(), flags);
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  SIMGPU_TRY(made->Charge());
  if (has_memory) graph.set_memory_exec(made);
  *exec = made.get();
  made->self_ = std::move(made);
  return CUDA_SUCCESS;
}

CUresult GraphExec::Charge() {
  Context* context = nullptr;
  if (CurrentContext(&context) != CUDA_SUCCESS) return CUDA_SUCCESS;
  const int card = context->card();
  SIMGPU_REQUIRE(world::World::Instance().memory().Charge(card, world::MemoryKind::kModule,
                                                          SpecOf(card).graph_exec_bytes),
                 CUDA_ERROR_OUT_OF_MEMORY);
  charged_card_ = card;
  return CUDA_SUCCESS;
}

GraphExec::~GraphExec() {
  if (charged_card_ < 0) return;
  world::World::Instance().memory().Uncharge(charged_card_, world::MemoryKind::kModule,
                                             SpecOf(charged_card_).graph_exec_bytes);
}

void GraphExec::Destroy() {
  const std::shared_ptr<GraphExec> keep = std::move(self_);
  Retract();
}

std::vector<std::shared_ptr<GraphAllocation>> GraphExec::Allocations() const {
  std::vector<std::shared_ptr<GraphAllocation>> all;
  CollectAllocations(*graph_, &all);
  return all;
}

CUresult GraphExec::Upload(Stream& stream) {
  const GraphLock lock;
  return Back(stream);
}

CUresult GraphExec::Back(Stream& stream) {
  for (const auto& allocation : Allocations()) SIMGPU_TRY(allocation->Back(stream.context()));
  return CUDA_SUCCESS;
}

// What is decided before anything is enqueued.
CUresult GraphExec::MakeReady(Stream& stream) {
  const bool auto_free = (flags_ & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
  for (const auto& allocation : Allocations()) {
    SIMGPU_REQUIRE(auto_free || !allocation->live(), CUDA_ERROR_INVALID_VALUE);
    allocation->SetLive(false);
  }
  SIMGPU_TRY(Back(stream));
  const int card = stream.context().card();
  if (!plan_.has_value() || plan_->cards[0] != card) {
    plan_ = PlanLaunch(*graph_, card);
    PrepareQueues();
  }
  return CUDA_SUCCESS;
}

void GraphExec::PrepareQueues() {
  queues_.resize(plan_->cards.size());
  for (size_t branch = 1; branch < queues_.size(); ++branch) {
    if (queues_[branch] != nullptr && queues_[branch]->card() == plan_->cards[branch]) continue;
    queues_[branch] =
        std::make_shared<StreamQueue>(QueueSpec{.card = plan_->cards[branch], .group = nullptr});
  }
}

CUresult GraphExec::Launch(Stream& stream) {
  const std::lock_guard launching(launch_mutex_);
  SIMGPU_REQUIRE(stream.context().live(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  const auto end = std::make_shared<Completion>();
  Branches branches;
  std::vector<std::shared_ptr<UserReferences>> references;  // those of now, whatever updates follow
  {
    const GraphLock lock;
    SIMGPU_TRY(MakeReady(stream));
    SIMGPU_TRY(BuildBranches(&branches));
    TrackMemory(end);
    CollectReferences(*graph_, &references);
  }
  branches[0].push_back(Op::Mark(end));
  branches[0].push_back(Op::Effect([keep = shared_from_this(), references] {}));
  last_end_ = end;
  for (size_t branch = 1; branch < branches.size(); ++branch) {
    queues_[branch]->EnqueueAll(std::move(branches[branch]));
  }
  return stream.EnqueueAll(std::move(branches[0]));
}

CUresult GraphExec::BuildBranches(Branches* branches) {
  branches->resize(plan_->cards.size());
  std::vector<Op>& trunk = branches->front();
  if (last_end_ != nullptr && !last_end_->Reached(world::NowNs())) {
    trunk.push_back(Op::Wait(last_end_));
  }
  if (branches->size() > 1) {
    const auto start = std::make_shared<Completion>();
    trunk.push_back(Op::Mark(start));
    for (size_t i = 1; i < branches->size(); ++i) (*branches)[i].push_back(Op::Wait(start));
  }
  std::map<size_t, std::shared_ptr<Completion>> ends;
  for (size_t i = 0; i < plan_->steps.size(); ++i) {
    const PlanStep& step = plan_->steps[i];
    std::vector<Op>& branch = (*branches)[step.branch];
    for (const size_t before : step.waits_for) branch.push_back(Op::Wait(ends[before]));
    if (!disabled_.contains(step.node)) SIMGPU_TRY(OpsOf(*step.node, &branch));
    if (!step.is_waited_for) continue;
    ends[i] = std::make_shared<Completion>();
    branch.push_back(Op::Mark(ends[i]));
  }
  for (size_t i = 1; i < branches->size(); ++i) {
    const auto joined = std::make_shared<Completion>();
    (*branches)[i].push_back(Op::Mark(joined));
    trunk.push_back(Op::Wait(joined));
  }
  return CUDA_SUCCESS;
}

CUresult GraphExec::OpsOf(const GraphNode& node, std::vector<Op>* ops) const {
  const auto append = [ops](std::vector<Op> more) {
    for (Op& op : more) ops->push_back(std::move(op));
  };
  if (const auto* kernel = node.As<KernelParams>()) {
    uint64_t duration_ns = 0;
    SIMGPU_TRY(PlanKernel(*kernel, nullptr, &duration_ns));
    SIMGPU_TRY(LoadCode(*kernel));
    ops->push_back(Op::Kernel(duration_ns));
  } else if (const auto* copy = node.As<CopyParams>()) {
    CopyPlan plan;
    SIMGPU_TRY(PlanCopy(copy->copy, &plan));
    if (plan.empty()) return CUDA_SUCCESS;
    SIMGPU_TRY(CommitTarget(plan));
    ops->push_back(simgpu::cuda::OpOf(plan));
  } else if (const auto* fill = node.As<FillParams>()) {
    FillPlan plan;
    SIMGPU_TRY(PlanFill(fill->fill, &plan));
    if (plan.extent.empty()) return CUDA_SUCCESS;
    SIMGPU_TRY(CommitTarget(plan));
    ops->push_back(simgpu::cuda::OpOf(plan));
  } else if (const auto* host = node.As<HostParams>()) {
    ops->push_back(simgpu::cuda::OpOf(host->host));
  } else if (const auto* memory_ops = node.As<MemoryOpParams>()) {
    append(simgpu::cuda::OpsOf(memory_ops->ops));
  } else if (const auto* params = node.As<EventParams>()) {
    Event* const event = Event::From(params->event);
    SIMGPU_REQUIRE(event != nullptr, CUDA_ERROR_INVALID_HANDLE);
    if (params->record) {
      append(event->RecordOps());
    } else if (std::optional<Op> wait = event->WaitOp()) {
      ops->push_back(std::move(*wait));
    }
  }
  return CUDA_SUCCESS;
}

// In the order of the nodes: what is made and not freed again is live afterwards.
void GraphExec::TrackMemory(const std::shared_ptr<Completion>& end) {
  for (const PlanStep& step : plan_->steps) {
    if (const auto* made = step.node->As<AllocationParams>()) {
      made->allocation->SetLive(true);
      made->allocation->UseUntil(end);
    }
    if (const auto* freed = step.node->As<FreeParams>()) {
      freed->allocation->SetLive(false);
      freed->allocation->UseUntil(end);
    }
  }
}

CUresult GraphExec::ChangeNodeOf(const GraphNode& original, NodeParams params) {
  GraphNode* const node = graph_->CloneOf(original.id());
  SIMGPU_REQUIRE(node != nullptr, CUDA_ERROR_INVALID_VALUE);
  return ChangeNode(*node, std::move(params));
}

CUresult GraphExec::Update(const Graph& source, CUgraphExecUpdateResultInfo* info) {
  return ChangeAll(*graph_, source, info);
}

CUresult GraphExec::FindSwitchable(const GraphNode& original, GraphNode** node) const {
  *node = graph_->CloneOf(original.id());
  SIMGPU_REQUIRE(*node != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUgraphNodeType type = (*node)->type();
  const bool switchable = type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                          type == CU_GRAPH_NODE_TYPE_MEMSET;
  return switchable ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult GraphExec::SetEnabled(const GraphNode& original, bool enabled) {
  GraphNode* node = nullptr;
  SIMGPU_TRY(FindSwitchable(original, &node));
  if (enabled) {
    disabled_.erase(node);
  } else {
    disabled_.insert(node);
  }
  return CUDA_SUCCESS;
}

CUresult GraphExec::GetEnabled(const GraphNode& original, bool* enabled) const {
  GraphNode* node = nullptr;
  SIMGPU_TRY(FindSwitchable(original, &node));
  *enabled = !disabled_.contains(node);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda
