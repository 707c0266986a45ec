#include "simgpu/cuda/memory/allocation_index.h"

#include <bit>
#include <utility>

namespace simgpu::cuda {
namespace {

constexpr unsigned kChunkShift = 21;  // 2 MiB
constexpr unsigned kSlotShift = 9;    // device memory is aligned to 512 bytes
constexpr unsigned kSlots = 1u << (kChunkShift - kSlotShift);
constexpr unsigned kWords = kSlots / 64;

bool FitsChunk(const Allocation& allocation) {
  return (allocation.base & ((1u << kSlotShift) - 1)) == 0 &&
         allocation.base >> kChunkShift == (allocation.end() - 1) >> kChunkShift;
}

}  // namespace

struct AllocationIndex::Chunk {
  uint64_t starts[kWords] = {};
  Allocation* at[kSlots];  // set where `starts` has a bit
  unsigned count = 0;
};

AllocationIndex::AllocationIndex() = default;

AllocationIndex::~AllocationIndex() {
  for (auto& [number, chunk] : chunks_) {
    for (Allocation* it = Next(*chunk, 0); it != nullptr;) {
      Allocation* const next = Next(*chunk, SlotOf(it->base) + 1);
      delete it;
      it = next;
    }
  }
}

unsigned AllocationIndex::SlotOf(uintptr_t address) { return address >> kSlotShift & (kSlots - 1); }

Allocation* AllocationIndex::Next(Chunk& chunk, unsigned first_slot) {
  if (first_slot >= kSlots) return nullptr;
  unsigned word = first_slot / 64;
  uint64_t bits = chunk.starts[word] & ~uint64_t{0} << first_slot % 64;
  while (bits == 0) {
    if (++word == kWords) return nullptr;
    bits = chunk.starts[word];
  }
  return chunk.at[word * 64 + std::countr_zero(bits)];
}

Allocation* AllocationIndex::LastUpTo(Chunk& chunk, unsigned slot) {
  unsigned word = slot / 64;
  uint64_t bits = chunk.starts[word] & ~uint64_t{0} >> (63 - slot % 64);
  while (bits == 0) {
    if (word-- == 0) return nullptr;
    bits = chunk.starts[word];
  }
  return chunk.at[word * 64 + 63 - std::countl_zero(bits)];
}

AllocationIndex::Chunk* AllocationIndex::ChunkOf(uintptr_t address) {
  const auto it = chunks_.find(address >> kChunkShift);
  return it == chunks_.end() ? nullptr : it->second.get();
}

AllocationIndex::Chunk* AllocationIndex::MakeChunk(uintptr_t address) {
  std::unique_ptr<Chunk>& chunk = chunks_[address >> kChunkShift];
  if (chunk == nullptr) {
    chunk = spare_ != nullptr ? std::move(spare_) : std::unique_ptr<Chunk>(new Chunk);
  }
  return chunk.get();
}

bool AllocationIndex::Insert(const Allocation& allocation) {
  if (allocation.bytes == 0 || Overlaps(allocation.base, allocation.end())) return false;
  if (FitsChunk(allocation)) {
    Chunk& chunk = *MakeChunk(allocation.base);
    const unsigned slot = SlotOf(allocation.base);
    chunk.starts[slot / 64] |= uint64_t{1} << slot % 64;
    chunk.at[slot] = new Allocation(allocation);
    chunk.count++;
  } else {
    large_.emplace(allocation.base, std::make_unique<Allocation>(allocation));
  }
  size_++;
  return true;
}

bool AllocationIndex::Erase(uintptr_t base, Allocation* taken) {
  Allocation* const found = Find(base);
  if (found == nullptr || found->base != base) return false;
  if (taken != nullptr) *taken = *found;
  size_--;
  if (!FitsChunk(*found)) {
    large_.erase(base);
    return true;
  }
  const auto it = chunks_.find(base >> kChunkShift);
  Chunk& chunk = *it->second;
  const unsigned slot = SlotOf(base);
  chunk.starts[slot / 64] &= ~(uint64_t{1} << slot % 64);
  delete found;
  if (--chunk.count == 0) {
    spare_ = std::move(it->second);
    chunks_.erase(it);
  }
  return true;
}

Allocation* AllocationIndex::FindLarge(uintptr_t address) {
  auto it = large_.upper_bound(address);
  if (it == large_.begin()) return nullptr;
  --it;
  return it->second->Holds(address) ? it->second.get() : nullptr;
}

Allocation* AllocationIndex::Find(uintptr_t address) {
  if (Chunk* chunk = ChunkOf(address)) {
    Allocation* const candidate = LastUpTo(*chunk, SlotOf(address));
    if (candidate != nullptr && candidate->Holds(address)) return candidate;
  }
  return FindLarge(address);
}

bool AllocationIndex::Overlaps(uintptr_t begin, uintptr_t end) {
  if (Find(begin) != nullptr || Find(end - 1) != nullptr) return true;
  const auto large = large_.upper_bound(begin);
  if (large != large_.end() && large->first < end) return true;
  // Device memory comes in whole chunks: a range over several holds no chunk of small ones inside.
  Chunk* const chunk = ChunkOf(begin);
  if (chunk == nullptr) return false;
  const Allocation* const next = Next(*chunk, SlotOf(begin));
  return next != nullptr && next->base < end && next->end() > begin;
}

}  // namespace simgpu::cuda
