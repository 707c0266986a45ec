#include "simgpu/cuda/pool/block_heap.h"

#include <gtest/gtest.h>

#include <random>

namespace simgpu::cuda {
namespace {

constexpr uintptr_t kBase = 0x10000000;

TEST(BlockHeap, RoundsToItsAlignment) {
  EXPECT_EQ(BlockHeap::Round(1), 512u);
  EXPECT_EQ(BlockHeap::Round(512), 512u);
  EXPECT_EQ(BlockHeap::Round(513), 1024u);
  EXPECT_EQ(BlockHeap::Round(SIZE_MAX), 0u);
}

TEST(BlockHeap, TakesTheSmallestBlockThatFits) {
  BlockHeap heap;
  heap.AddSegment({kBase, 8192, nullptr});
  heap.AddSegment({kBase + 0x100000, 2048, nullptr});
  EXPECT_EQ(heap.Take(1024, 1)->at, kBase + 0x100000);
  EXPECT_EQ(heap.Take(4096, 1)->at, kBase);
  EXPECT_EQ(heap.Take(8192, 1), nullptr);
  EXPECT_EQ(heap.used(), 5120u);
  EXPECT_EQ(heap.reserved(), 10240u);
}

TEST(BlockHeap, MergesNeighboursOnBothSides) {
  BlockHeap heap;
  heap.AddSegment({kBase, 4096, nullptr});
  PoolBlock* const a = heap.Take(1024, 1);
  PoolBlock* const b = heap.Take(1024, 1);
  PoolBlock* const c = heap.Take(2048, 1);
  heap.Put(a);
  heap.Put(c);
  EXPECT_EQ(heap.Take(4096, 1), nullptr);
  heap.Put(b);
  EXPECT_EQ(heap.Take(4096, 1)->at, kBase);
}

TEST(BlockHeap, GivesAWaitingBlockToItsOwnStreamOnly) {
  BlockHeap heap;
  heap.AddSegment({kBase, 1024, nullptr});
  PoolBlock* const block = heap.Take(1024, 7);
  const uint64_t ticket = heap.PutInStream(block, 7);
  EXPECT_EQ(heap.used(), 0u);
  EXPECT_EQ(heap.Take(1024, 8), nullptr);
  EXPECT_EQ(heap.Take(1024, 7), block);
  heap.StreamReached(ticket);  // of the free before: must not free the block again
  EXPECT_EQ(heap.used(), 1024u);
  EXPECT_EQ(heap.Take(1024, 8), nullptr);
  heap.StreamReached(heap.PutInStream(block, 7));
  EXPECT_NE(heap.Take(1024, 8), nullptr);
}

TEST(BlockHeap, RemovesFreeSegmentsDownToWhatIsKept) {
  BlockHeap heap;
  int marks[3];
  for (int i = 0; i < 3; i++) heap.AddSegment({kBase + 0x10000u * i, 4096, &marks[i]});
  PoolBlock* const block = heap.Take(512, 1);
  ASSERT_EQ(block->at, kBase);
  EXPECT_TRUE(heap.RemoveFree(12288).empty());
  ASSERT_EQ(heap.RemoveFree(5000).size(), 1u);
  const auto removed = heap.RemoveFree(0);
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].token, &marks[2]);
  EXPECT_EQ(heap.reserved(), 4096u);
  const uint64_t ticket = heap.PutInStream(block, 3);
  EXPECT_TRUE(heap.RemoveFree(0).empty());  // still waiting
  heap.StreamReached(ticket);
  EXPECT_EQ(heap.RemoveFree(0).size(), 1u);
  EXPECT_EQ(heap.reserved(), 0u);
}

TEST(BlockHeap, NeverHandsOutOverlappingBlocksAndEndsWhole) {
  BlockHeap heap;
  std::mt19937_64 random(7);
  size_t reserved = 0;
  for (int i = 0; i < 4; i++, reserved += 1 << 20) {
    heap.AddSegment({kBase + 0x1000000u * i, 1 << 20, nullptr});
  }
  std::map<uintptr_t, PoolBlock*> live;
  std::vector<uint64_t> tickets;
  for (int step = 0; step < 20000; step++) {
    const uint64_t stream = random() % 3 + 1;
    if (random() % 2 == 0) {
      const size_t bytes = BlockHeap::Round(random() % 60000 + 1);
      PoolBlock* const block = heap.Take(bytes, stream);
      if (block == nullptr) continue;
      ASSERT_EQ(block->bytes, bytes);
      const auto next = live.lower_bound(block->at);
      ASSERT_TRUE(next == live.end() || next->first >= block->at + bytes);
      ASSERT_TRUE(next == live.begin() ||
                  std::prev(next)->first + std::prev(next)->second->bytes <= block->at);
      live[block->at] = block;
    } else if (!live.empty()) {
      const auto it = std::next(live.begin(), random() % live.size());
      if (random() % 2 == 0) {
        heap.Put(it->second);
      } else {
        tickets.push_back(heap.PutInStream(it->second, stream));
      }
      live.erase(it);
    }
    if (!tickets.empty() && random() % 3 == 0) {
      heap.StreamReached(tickets.front());
      tickets.erase(tickets.begin());
    }
  }
  for (const auto& [at, block] : live) heap.Put(block);
  for (const uint64_t ticket : tickets) heap.StreamReached(ticket);
  EXPECT_EQ(heap.used(), 0u);
  EXPECT_EQ(heap.RemoveFree(0).size(), 4u);
  EXPECT_EQ(heap.reserved(), 0u);
}

}  // namespace
}  // namespace simgpu::cuda
