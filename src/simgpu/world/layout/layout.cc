#include "simgpu/world/layout/layout.h"

#include <initializer_list>

#include "simgpu/world/memory.h"

namespace simgpu::world {
namespace {

constexpr size_t kPage = 4096;

class Planner {
 public:
  size_t Place(size_t bytes) {
    const size_t at = next_;
    next_ += (bytes + kPage - 1) / kPage * kPage;
    return at;
  }
  size_t end() const { return next_; }

 private:
  size_t next_ = 0;
};

CardLayout PlaceCard(Planner& planner, uint64_t memory_bytes) {
  CardLayout card;
  card.blocks = (memory_bytes + kBlockBytes - 1) / kBlockBytes * kSpareFactor + kSpareBlocks;
  card.memory = planner.Place(sizeof(MemoryState));
  card.accounts = planner.Place(sizeof(Account) * (kMaxProcesses + 1));
  card.block_map = planner.Place((card.blocks + 63) / 64 * sizeof(Word));
  card.records = planner.Place(card.blocks * sizeof(ExtentRecord));
  for (int kind = 0; kind < kEngineKinds; ++kind) {
    card.engines[kind] = planner.Place(sizeof(EngineState));
    card.seats[kind] = planner.Place(sizeof(Seat) * kMaxProcesses);
  }
  return card;
}

}  // namespace

Layout Layout::Of(const Scenario& scenario) {
  Planner planner;
  planner.Place(sizeof(Header));  // at 0
  Layout layout;
  layout.slots = planner.Place(sizeof(ProcessSlot) * kMaxProcesses);
  layout.events = planner.Place(sizeof(EventQueue));
  for (const CardSpec& card : scenario.cards) {
    layout.cards.push_back(PlaceCard(planner, card.memory_bytes));
  }
  layout.bytes = planner.end();
  return layout;
}

uint64_t StructSizes() {
  uint64_t digest = 0;
  for (const size_t size : {sizeof(Header), sizeof(ProcessSlot), sizeof(MemoryState), sizeof(Seat),
                            sizeof(EngineState), sizeof(EventQueue), sizeof(RobustLock)}) {
    digest = digest * 1'000'003 + size;
  }
  return digest;
}

void SharedMap::CreateLocks() {
  for (uint32_t i = 0; i < kMaxProcesses; ++i) slot(i).life.Create();
  events().guard.lock.Create();
  for (int card = 0; card < card_count(); ++card) {
    memory(card).guard.lock.Create();
    for (int kind = 0; kind < kEngineKinds; ++kind) {
      engine(card, static_cast<EngineKind>(kind)).guard.lock.Create();
    }
  }
}

}  // namespace simgpu::world
