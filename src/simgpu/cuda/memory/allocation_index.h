// Finds the allocation that holds an address. Small device allocations, of which there can be
// hundreds of thousands, sit in a table per 2 MiB of addresses with a bitmap of where one starts,
// so insert, erase and find cost the same however many there are. Everything else (large, or not
// aligned as device memory is) is kept in a tree. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

#include "simgpu/cuda/memory/allocation.h"

namespace simgpu::cuda {

class AllocationIndex {
 public:
  AllocationIndex();
  ~AllocationIndex();
  AllocationIndex(const AllocationIndex&) = delete;
  AllocationIndex& operator=(const AllocationIndex&) = delete;

  // False when it would overlap one that is there.
  bool Insert(const Allocation& allocation);
  // By base address. False when there is none; `taken` may be nullptr.
  bool Erase(uintptr_t base, Allocation* taken);
  // The allocation that holds the address, or nullptr. Valid until the next change.
  Allocation* Find(uintptr_t address);
  bool Overlaps(uintptr_t begin, uintptr_t end);

  template <class Visit>
  void ForEach(Visit visit) {
    for (auto& [base, allocation] : large_) visit(*allocation);
    for (auto& [number, chunk] : chunks_) {
      for (Allocation* allocation = Next(*chunk, 0); allocation != nullptr;
           allocation = Next(*chunk, SlotOf(allocation->base) + 1)) {
        visit(*allocation);
      }
    }
  }

  size_t size() const { return size_; }

 private:
  struct Chunk;
  static unsigned SlotOf(uintptr_t address);
  static Allocation* Next(Chunk& chunk, unsigned first_slot);
  static Allocation* LastUpTo(Chunk& chunk, unsigned slot);
  Chunk* ChunkOf(uintptr_t address);
  Chunk* MakeChunk(uintptr_t address);
  Allocation* FindLarge(uintptr_t address);

  std::unordered_map<uintptr_t, std::unique_ptr<Chunk>> chunks_;
  std::unique_ptr<Chunk> spare_;  // the last one emptied: alloc and free in turn make none
  std::map<uintptr_t, std::unique_ptr<Allocation>> large_;
  size_t size_ = 0;
};

}  // namespace simgpu::cuda
