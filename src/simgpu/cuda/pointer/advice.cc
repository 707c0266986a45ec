#include "simgpu/cuda/pointer/advice.h"

#include <algorithm>
#include <iterator>

namespace simgpu::cuda {
namespace {

void Restrict(Advice* common, const Advice& other) {
  common->read_mostly = common->read_mostly && other.read_mostly;
  if (!(common->preferred == other.preferred)) common->preferred = {};
  if (!(common->last_prefetch == other.last_prefetch)) common->last_prefetch = {};
  std::erase_if(common->accessed_by,
                [&other](CUdevice device) { return !other.accessed_by.contains(device); });
}

}  // namespace

void AdviceMap::Split(uintptr_t at) {
  auto it = pieces_.upper_bound(at);
  if (it == pieces_.begin()) return;
  --it;
  if (it->first == at || it->second.end <= at) return;
  pieces_.emplace(at, it->second);
  it->second.end = at;
}

Advice AdviceMap::Common(uintptr_t begin, uintptr_t end) const {
  auto it = pieces_.upper_bound(begin);
  if (it == pieces_.begin()) return {};
  --it;
  if (it->second.end <= begin) return {};
  Advice common = it->second.advice;
  for (uintptr_t at = it->second.end; at < end; at = it->second.end) {
    ++it;
    if (it == pieces_.end() || it->first != at) return {};
    Restrict(&common, it->second.advice);
  }
  return common;
}

void AdviceMap::Forget(uintptr_t begin, uintptr_t end) {
  Split(begin);
  Split(end);
  pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
}

}  // namespace simgpu::cuda
