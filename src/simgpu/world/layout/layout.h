// Where each struct of shared_state.h lies in the file: a function of the cards alone, so all
// processes that read the same scenario agree. SharedMap gives access to a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simgpu/world/layout/shared_state.h"
#include "simgpu/world/scenario.h"

namespace simgpu::world {

// A card's sparse file has room for this many times its memory, and some more for the part-filled
// slabs of many processes, so that free space lying in pieces refuses nothing.
inline constexpr uint64_t kSpareFactor = 4;
inline constexpr uint64_t kSpareBlocks = 8192;  // 16 GiB

struct CardLayout {
  uint64_t blocks = 0;  // of 2 MiB, in the card's data file
  size_t memory = 0;    // offsets in the file `world`
  size_t accounts = 0;
  size_t block_map = 0;
  size_t records = 0;
  size_t engines[kEngineKinds] = {};
  size_t seats[kEngineKinds] = {};
};

struct Layout {
  size_t slots = 0;
  size_t events = 0;
  size_t bytes = 0;
  std::vector<CardLayout> cards;
  static Layout Of(const Scenario& scenario);
};

uint64_t StructSizes();  // for Header::struct_sizes

class SharedMap {
 public:
  SharedMap() = default;
  SharedMap(std::byte* start, Layout layout) : start_(start), layout_(std::move(layout)) {}

  void CreateLocks();  // in a new file

  std::byte* start() const { return start_; }
  const Layout& layout() const { return layout_; }
  int card_count() const { return static_cast<int>(layout_.cards.size()); }
  uint64_t blocks(int card) const { return layout_.cards[card].blocks; }

  Header& header() const { return At<Header>(0); }
  ProcessSlot& slot(uint32_t index) const { return (&At<ProcessSlot>(layout_.slots))[index]; }
  EventQueue& events() const { return At<EventQueue>(layout_.events); }
  MemoryState& memory(int card) const { return At<MemoryState>(layout_.cards[card].memory); }
  Account& account(int card, uint32_t index) const {
    return (&At<Account>(layout_.cards[card].accounts))[index];
  }
  Word* block_map(int card) const { return &At<Word>(layout_.cards[card].block_map); }
  ExtentRecord& record(int card, uint64_t block) const {
    return (&At<ExtentRecord>(layout_.cards[card].records))[block];
  }
  EngineState& engine(int card, EngineKind kind) const {
    return At<EngineState>(layout_.cards[card].engines[static_cast<uint32_t>(kind)]);
  }
  Seat* seats(int card, EngineKind kind) const {
    return &At<Seat>(layout_.cards[card].seats[static_cast<uint32_t>(kind)]);
  }

 private:
  template <typename T>
  T& At(size_t offset) const {
    return *reinterpret_cast<T*>(start_ + offset);
  }
  std::byte* start_ = nullptr;
  Layout layout_;
};

}  // namespace simgpu::world
