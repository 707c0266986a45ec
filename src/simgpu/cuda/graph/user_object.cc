#include "simgpu/cuda/graph/user_object.h"

#include <mutex>

#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/user_object_api.h"
#include "simgpu/cuda/stream/dispatcher.h"

namespace simgpu::cuda {
namespace {

constexpr uint64_t kMostReferences = INT32_MAX;

CUresult Find(CUuserObject handle, unsigned count, UserObject** object) {
  SIMGPU_TRY(Ready());
  *object = UserObject::From(handle);
  SIMGPU_REQUIRE(*object != nullptr && count >= 1 && count <= kMostReferences,
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

}  // namespace

std::shared_ptr<UserObject> UserObject::Create(void* object, CUhostFn destroy,
                                               uint64_t references) {
  auto made = std::make_shared<UserObject>(object, destroy, references);
  made->self_ = made;
  return made;
}

CUresult UserObject::Release(uint64_t count) {
  uint64_t held = references_.load(std::memory_order_relaxed);
  do {
    SIMGPU_REQUIRE(count <= held, CUDA_ERROR_INVALID_VALUE);
  } while (!references_.compare_exchange_weak(held, held - count, std::memory_order_acq_rel));
  if (held > count) return CUDA_SUCCESS;
  const std::shared_ptr<UserObject> keep = std::move(self_);
  Retract();
  Dispatcher& dispatcher = Dispatcher::Instance();
  const std::lock_guard lock(dispatcher.mutex());
  dispatcher.Host().Call(nullptr, [destroy = destroy_, object = object_] { destroy(object); });
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

using simgpu::cuda::Find;
using simgpu::cuda::Graph;
using simgpu::cuda::GraphLock;
using simgpu::cuda::UserObject;

CUresult cuUserObjectCreate(CUuserObject* object, void* ptr, CUhostFn destroy,
                            unsigned initial_refcount, unsigned flags) {
  SIMGPU_TRY(simgpu::cuda::Ready());
  SIMGPU_REQUIRE(object != nullptr && destroy != nullptr && initial_refcount >= 1 &&
                     initial_refcount <= simgpu::cuda::kMostReferences,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(flags == CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  const auto made = UserObject::Create(ptr, destroy, initial_refcount);
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  *object = made->handle();
  return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  UserObject* found = nullptr;
  SIMGPU_TRY(Find(object, count, &found));
  const GraphLock lock;
  found->Retain(count);
  return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  UserObject* found = nullptr;
  SIMGPU_TRY(Find(object, count, &found));
  const GraphLock lock;
  return found->Release(count);
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags) {
  UserObject* found = nullptr;
  SIMGPU_TRY(Find(object, count, &found));
  const GraphLock lock;
  Graph* const holder = Graph::From(graph);
  SIMGPU_REQUIRE(holder != nullptr && flags <= CU_GRAPH_USER_OBJECT_MOVE, CUDA_ERROR_INVALID_VALUE);
  if (flags != CU_GRAPH_USER_OBJECT_MOVE) found->Retain(count);
  holder->references()->Add(found->shared_from_this(), count);
  return CUDA_SUCCESS;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  UserObject* found = nullptr;
  SIMGPU_TRY(Find(object, count, &found));
  const GraphLock lock;
  Graph* const holder = Graph::From(graph);
  SIMGPU_REQUIRE(holder != nullptr && holder->references()->Remove(*found, count),
                 CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}
