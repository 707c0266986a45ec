// Objects of the program that graphs keep alive (CUuserObject): counted, and destroyed by the
// program's own function when the last reference goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class UserObject : public Handled<UserObject, CUuserObject, HandleKind::kUserObject>,
                   public std::enable_shared_from_this<UserObject> {
 public:
  static std::shared_ptr<UserObject> Create(void* object, CUhostFn destroy, uint64_t references);

  UserObject(void* object, CUhostFn destroy, uint64_t references)
      : object_(object), destroy_(destroy), references_(references) {}

  void Retain(uint64_t count) { references_.fetch_add(count, std::memory_order_relaxed); }
  // CUDA_ERROR_INVALID_VALUE for more than there are. The last one has the object destroyed, by the
  // driver's own thread. Any thread, without the dispatcher's mutex.
  CUresult Release(uint64_t count);

 private:
  void* const object_;
  const CUhostFn destroy_;
  std::atomic<uint64_t> references_;
  std::shared_ptr<UserObject> self_;  // while there are references
};

}  // namespace simgpu::cuda
