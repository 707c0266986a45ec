#include "simgpu/cuda/pool/block_heap.h"

#include <limits>

namespace simgpu::cuda {

struct PoolSegment {
  SegmentSource source;
  PoolBlock* first = nullptr;
};

BlockHeap::BlockHeap() = default;

BlockHeap::~BlockHeap() {
  for (const auto& [base, segment] : segments_) {
    for (const PoolBlock* block = segment->first; block != nullptr;) {
      const PoolBlock* const after = block->after;
      delete block;
      block = after;
    }
  }
}

size_t BlockHeap::Round(size_t bytes) {
  if (bytes > std::numeric_limits<size_t>::max() - kAlignment) return 0;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void BlockHeap::AddSegment(const SegmentSource& source) {
  auto segment = std::make_unique<PoolSegment>();
  segment->source = source;
  segment->first =
      new PoolBlock{.at = source.base, .bytes = source.bytes, .segment = segment.get()};
  free_.insert(segment->first);
  segments_.emplace(source.base, std::move(segment));
  reserved_ += source.bytes;
}

PoolBlock* BlockHeap::Take(size_t bytes, uint64_t stream) {
  PoolBlock* block = TakeWaiting(bytes, stream);
  if (block == nullptr) block = TakeFree(bytes);
  if (block == nullptr) return nullptr;
  block->state = PoolBlock::State::kUsed;
  used_ += block->bytes;
  return block;
}

PoolBlock* BlockHeap::TakeWaiting(size_t bytes, uint64_t stream) {
  const auto found = waiting_in_stream_.find({stream, bytes});
  if (found == waiting_in_stream_.end()) return nullptr;
  PoolBlock* const block = found->second;
  waiting_.erase(block->ticket);
  waiting_in_stream_.erase(found);
  return block;
}

PoolBlock* BlockHeap::TakeFree(size_t bytes) {
  const auto found = free_.lower_bound(bytes);
  if (found == free_.end()) return nullptr;
  PoolBlock* const block = *found;
  free_.erase(found);
  if (block->bytes == bytes) return block;
  auto* const rest = new PoolBlock{.at = block->at + bytes,
                                   .bytes = block->bytes - bytes,
                                   .segment = block->segment,
                                   .before = block,
                                   .after = block->after};
  if (rest->after != nullptr) rest->after->before = rest;
  block->after = rest;
  block->bytes = bytes;
  free_.insert(rest);
  return block;
}

void BlockHeap::StopWaiting(PoolBlock* block) {
  waiting_.erase(block->ticket);
  const auto [begin, end] = waiting_in_stream_.equal_range({block->stream, block->bytes});
  for (auto it = begin; it != end; ++it) {
    if (it->second != block) continue;
    waiting_in_stream_.erase(it);
    return;
  }
}

void BlockHeap::Put(PoolBlock* block) {
  if (block->state == PoolBlock::State::kWaiting) {
    StopWaiting(block);
  } else {
    used_ -= block->bytes;
  }
  MakeFree(block);
}

uint64_t BlockHeap::PutInStream(PoolBlock* block, uint64_t stream) {
  used_ -= block->bytes;
  block->state = PoolBlock::State::kWaiting;
  block->stream = stream;
  block->ticket = next_ticket_++;
  waiting_.emplace(block->ticket, block);
  waiting_in_stream_.emplace(WaitingKey{stream, block->bytes}, block);
  return block->ticket;
}

void BlockHeap::StreamReached(uint64_t ticket) {
  const auto found = waiting_.find(ticket);
  if (found != waiting_.end()) Put(found->second);
}

// `block` grows over the free block that follows it.
void BlockHeap::Absorb(PoolBlock* block, PoolBlock* next) {
  free_.erase(next);
  block->bytes += next->bytes;
  block->after = next->after;
  if (block->after != nullptr) block->after->before = block;
  delete next;
}

void BlockHeap::MakeFree(PoolBlock* block) {
  block->state = PoolBlock::State::kFree;
  const auto is_free = [](const PoolBlock* it) {
    return it != nullptr && it->state == PoolBlock::State::kFree;
  };
  if (is_free(block->after)) Absorb(block, block->after);
  free_.insert(block);
  if (!is_free(block->before)) return;
  PoolBlock* const before = block->before;
  free_.erase(before);
  Absorb(before, block);
  free_.insert(before);
}

const SegmentSource& BlockHeap::SourceOf(const PoolBlock& block) { return block.segment->source; }

std::vector<SegmentSource> BlockHeap::RemoveFree(size_t keep) {
  std::vector<SegmentSource> removed;
  for (auto it = segments_.begin(); it != segments_.end();) {
    PoolBlock* const block = it->second->first;
    const SegmentSource source = it->second->source;
    const bool whole = block->state == PoolBlock::State::kFree && block->after == nullptr;
    if (!whole || reserved_ - source.bytes < keep) {
      ++it;
      continue;
    }
    free_.erase(block);
    delete block;
    reserved_ -= source.bytes;
    removed.push_back(source);
    it = segments_.erase(it);
  }
  return removed;
}

}  // namespace simgpu::cuda
