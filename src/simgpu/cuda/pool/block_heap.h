// How a pool cuts its memory into blocks. Segments come from outside and go back whole; blocks are
// best fit, split and merged. A block freed in stream order waits until the stream gets there;
// until then only the same stream may have it again. Cost depends on the number of free blocks, not
// of those in use. Pure bookkeeping: never touches the memory. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace simgpu::cuda {

struct PoolSegment;

struct PoolBlock {
  enum class State : uint8_t { kFree, kUsed, kWaiting };

  uintptr_t at = 0;
  size_t bytes = 0;
  State state = State::kFree;
  PoolSegment* segment = nullptr;
  PoolBlock* before = nullptr;  // neighbours in the segment, by address
  PoolBlock* after = nullptr;
  uint64_t stream = 0;  // kWaiting: that it was freed in
  uint64_t ticket = 0;  // kWaiting: names this free
};

// Memory handed to the heap: whoever made it keeps a mark on it.
struct SegmentSource {
  uintptr_t base = 0;
  size_t bytes = 0;
  void* token = nullptr;
};

class BlockHeap {
 public:
  static constexpr size_t kAlignment = 512;
  static size_t Round(size_t bytes);  // 0 when it overflows

  BlockHeap();
  ~BlockHeap();

  void AddSegment(const SegmentSource& source);

  // A block of exactly `bytes` (rounded), or nullptr when no segment has room.
  PoolBlock* Take(size_t bytes, uint64_t stream);

  // Free from now on, whether in use or waiting before.
  void Put(PoolBlock* block);

  // Freed in a stream; the ticket says when the stream has got there. Ends without effect if the
  // block was taken again meanwhile.
  uint64_t PutInStream(PoolBlock* block, uint64_t stream);
  void StreamReached(uint64_t ticket);

  static const SegmentSource& SourceOf(const PoolBlock& block);

  // Takes wholly free segments out, as long as at least `keep` bytes stay.
  std::vector<SegmentSource> RemoveFree(size_t keep);

  size_t reserved() const { return reserved_; }
  size_t used() const { return used_; }  // waiting blocks are not in use any more
  bool waiting() const { return !waiting_.empty(); }

 private:
  struct BySize {
    bool operator()(const PoolBlock* a, const PoolBlock* b) const {
      return a->bytes != b->bytes ? a->bytes < b->bytes : a->at < b->at;
    }
    using is_transparent = void;
    bool operator()(const PoolBlock* block, size_t bytes) const { return block->bytes < bytes; }
    bool operator()(size_t bytes, const PoolBlock* block) const { return bytes < block->bytes; }
  };
  using WaitingKey = std::pair<uint64_t, size_t>;  // stream, bytes

  PoolBlock* TakeWaiting(size_t bytes, uint64_t stream);
  PoolBlock* TakeFree(size_t bytes);
  void StopWaiting(PoolBlock* block);
  void MakeFree(PoolBlock* block);
  void Absorb(PoolBlock* block, PoolBlock* next);

  std::map<uintptr_t, std::unique_ptr<PoolSegment>> segments_;
  std::set<PoolBlock*, BySize> free_;
  std::unordered_map<uint64_t, PoolBlock*> waiting_;  // by ticket
  std::multimap<WaitingKey, PoolBlock*> waiting_in_stream_;
  uint64_t next_ticket_ = 1;
  size_t reserved_ = 0;
  size_t used_ = 0;
};

}  // namespace simgpu::cuda
