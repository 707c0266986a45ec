// The references of user objects that one graph holds. They go when the set goes: with the graph,
// or, for those that an update has replaced, with the last launch that began before it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

namespace simgpu::cuda {

class UserObject;

class UserReferences {
 public:
  UserReferences() = default;
  ~UserReferences();
  UserReferences(const UserReferences&) = delete;
  UserReferences& operator=(const UserReferences&) = delete;

  // Takes over references that the caller has.
  void Add(std::shared_ptr<UserObject> object, uint64_t count);
  // False for more than there are.
  bool Remove(const UserObject& object, uint64_t count);
  // As many references again. Under GraphLock.
  std::shared_ptr<UserReferences> Clone() const;

 private:
  struct Holding {
    std::shared_ptr<UserObject> object;
    uint64_t count = 0;
  };
  std::map<const UserObject*, Holding> holdings_;
};

}  // namespace simgpu::cuda
