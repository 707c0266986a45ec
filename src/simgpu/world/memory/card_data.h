// The data of one card: its sparse file, mapped once in this process as the window when it is first
// needed. Block b of the file is at window + b * 2 MiB.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "simgpu/world/memory/card_accounts.h"

namespace simgpu::world {

class CardData {
 public:
  CardData(std::string path, uint64_t blocks) : path_(std::move(path)), blocks_(blocks) {}
  ~CardData();
  CardData(const CardData&) = delete;
  CardData& operator=(const CardData&) = delete;

  // Null: the window cannot be mapped (ulimit -v, or the world's directory is gone).
  std::byte* Window();
  std::byte* MappedWindow() const { return window_.load(std::memory_order_acquire); }

  // Whether `address` is in the window, and where.
  bool Contains(const void* address, uint64_t* offset) const;

  // Frees the pages of the blocks: they read as zero afterwards. Maps nothing.
  void GiveBack(BlockRange range);

 private:
  std::byte* Map();
  uint64_t bytes() const { return blocks_ * kBlockBytes; }

  const std::string path_;
  const uint64_t blocks_;
  std::mutex mapping_;
  std::atomic<std::byte*> window_{nullptr};
};

}  // namespace simgpu::world
