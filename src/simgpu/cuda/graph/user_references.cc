#include "simgpu/cuda/graph/user_references.h"

#include <utility>

#include "simgpu/cuda/graph/user_object.h"

namespace simgpu::cuda {

UserReferences::~UserReferences() {
  for (auto& [key, holding] : holdings_) holding.object->Release(holding.count);
}

void UserReferences::Add(std::shared_ptr<UserObject> object, uint64_t count) {
  Holding& holding = holdings_[object.get()];
  holding.count += count;
  holding.object = std::move(object);
}

bool UserReferences::Remove(const UserObject& object, uint64_t count) {
  const auto found = holdings_.find(&object);
  if (found == holdings_.end() || found->second.count < count) return false;
  const std::shared_ptr<UserObject> held = found->second.object;
  found->second.count -= count;
  if (found->second.count == 0) holdings_.erase(found);
  held->Release(count);
  return true;
}

std::shared_ptr<UserReferences> UserReferences::Clone() const {
  auto clone = std::make_shared<UserReferences>();
  for (const auto& [key, holding] : holdings_) {
    holding.object->Retain(holding.count);
    clone->holdings_[key] = holding;
  }
  return clone;
}

}  // namespace simgpu::cuda
