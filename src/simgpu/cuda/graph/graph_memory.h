// Memory of graphs' allocation nodes. The address is fixed when the node is added; card memory is
// put behind it when a graph with the node is first uploaded or launched, and stays there, for the
// next launch, until it is trimmed or the last graph with the node is gone. An allocation is live
// from the launch that makes it to the launch, or the call, that frees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/completion.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {

class Context;

class GraphAllocation : public std::enable_shared_from_this<GraphAllocation> {
 public:
  static CUresult Create(int card, size_t bytes, std::shared_ptr<GraphAllocation>* allocation);
  // The one whose address it is; nullptr: none.
  static std::shared_ptr<GraphAllocation> At(CUdeviceptr address);

  GraphAllocation(int card, size_t bytes, size_t span, void* address)
      : card_(card), bytes_(bytes), span_(span), address_(address) {}
  ~GraphAllocation();

  CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(address_); }
  int card() const { return card_; }

  // Puts card memory behind the address: CUDA_ERROR_OUT_OF_MEMORY.
  CUresult Back(Context& context);
  bool live() const;
  // A live allocation keeps itself.
  void SetLive(bool live);
  // A launch that uses it ends there.
  void UseUntil(std::shared_ptr<Completion> end);
  // Gives its card memory back unless it is live or in use.
  void Trim();

 private:
  const int card_;
  const size_t bytes_;
  const size_t span_;  // of addresses
  void* const address_;
  std::shared_ptr<GraphAllocation> self_;  // while live
  std::optional<world::Extent> extent_;
  std::shared_ptr<Completion> used_until_;
};

struct GraphMemoryUse {
  uint64_t used = 0;
  uint64_t used_high = 0;
  uint64_t reserved = 0;
  uint64_t reserved_high = 0;
};

// Of a card, in this process.
GraphMemoryUse GraphMemoryUseOf(int card);
void ResetGraphMemoryUsedHigh(int card);
void ResetGraphMemoryReservedHigh(int card);
void TrimGraphMemory(int card);

}  // namespace simgpu::cuda
