#include "simgpu/cuda/graph/condition.h"

#include <mutex>
#include <vector>

namespace simgpu::cuda {
namespace {

// By handle, which counts from 1. Handles are never given back: they have no function for it.
struct Conditions {
  std::mutex mutex;
  std::vector<unsigned> values;

  static Conditions& Instance() {
    static auto* const conditions = new Conditions;
    return *conditions;
  }
};

}  // namespace

CUgraphConditionalHandle NewCondition(unsigned value_at_launch) {
  Conditions& all = Conditions::Instance();
  const std::lock_guard lock(all.mutex);
  all.values.push_back(value_at_launch);
  return all.values.size();
}

bool IsCondition(CUgraphConditionalHandle handle) {
  Conditions& all = Conditions::Instance();
  const std::lock_guard lock(all.mutex);
  return handle >= 1 && handle <= all.values.size();
}

unsigned ValueAtLaunch(CUgraphConditionalHandle handle) {
  Conditions& all = Conditions::Instance();
  const std::lock_guard lock(all.mutex);
  return all.values[handle - 1];
}

}  // namespace simgpu::cuda
