// Small allocations of this process on one card: extents cut into objects of one size. Knows sizes
// and places only; what an object is charged is its owner's business. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "simgpu/world/memory.h"

namespace simgpu::world {

struct SlabObject {
  const Extent* extent = nullptr;  // until the object is put back
  uint64_t offset = 0;
  uint64_t bytes = 0;  // asked for
};

class Slabs {
 public:
  Slabs();
  ~Slabs();

  // A free object for `bytes` (1 to kSmallLimit). Null: all slabs of that size are full; Add one of
  // SlabBytes(bytes).
  std::optional<SlabObject> Take(uint64_t bytes);
  static uint64_t SlabBytes(uint64_t bytes);
  void Add(uint64_t bytes, const Extent& extent);

  // `offset` from the start of the card's window. Find takes any place in an object; Put only its
  // start, answers the bytes that were asked for, and hands back the slab's extent in `emptied`
  // when it is to be released.
  std::optional<SlabObject> Find(uint64_t offset) const;
  std::optional<uint64_t> Put(uint64_t offset, std::optional<Extent>* emptied);

 private:
  struct Slab;
  struct Place;  // an object's slab and number
  std::optional<Place> Locate(uint64_t offset) const;

  std::map<uint64_t, std::unique_ptr<Slab>> by_start_;  // window offset
  std::vector<std::vector<Slab*>> open_;                // by size class: slabs with a free object
};

}  // namespace simgpu::world
